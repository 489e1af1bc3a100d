"""The JSON schemas of a release, at the addresses in their `$id`, and the entries for SchemaStore.

`schemastore.json` contains entries for the catalog of SchemaStore, for a single pull request.
"""

import json
import subprocess

from release import ROOT


def write(folder, program):
    """Writes all schemas that the program prints, and the entries for SchemaStore."""
    names = [line.split()[0] for line in printed(program).splitlines() if line]
    texts = {f"{name}.schema.json": printed(program, name) for name in names}
    texts["schemastore.json"] = json.dumps(schemastore(), indent=2) + "\n"
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def schemastore():
    """An entry for each kind of file that the VS Code extension validates."""
    extension = ROOT / "editors/vscode"
    contributes = json.loads((extension / "package.json").read_text())["contributes"]
    entries = []
    for row in contributes["tomlValidation"] + contributes["jsonValidation"]:
        schema = json.loads((extension / row["url"]).read_text())
        entry = {"name": schema["title"], "description": schema["description"], "fileMatch": [row["fileMatch"]]}
        entries.append({**entry, "url": schema["$id"]})
    return entries


def printed(program, *name):
    return subprocess.run([program, "schema", *name], stdout=subprocess.PIPE, text=True, check=True).stdout
