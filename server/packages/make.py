"""Builds the artefacts of a release; started by `make`, and described in README.md."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import archives
import contents
import npm
import schemas
import wheels
from release import ROOT, Release, sha256

# A program that is not optimised is packed without what only a debugger reads, a third of it.
STRIPPED = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_PROFILE_DEV_STRIP": "symbols"}
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
OUT = BUILT / "packages"
WORK = OUT / ".work"
RELEASE = Release(OUT)


def main():
    known = RELEASE.targets
    parser = argparse.ArgumentParser(prog="make", description="Makes the artefacts of a release.")
    parser.add_argument("targets", metavar="TARGET", nargs="*", help="else all that this system can build for")
    parser.add_argument("--profile", default="dist", help="of Cargo; `dev` is built sooner, and slower")
    parser.add_argument(
        "--for-here", metavar="PROGRAM", help="for tests: pack this program, and a wheel linked as this machine links"
    )
    options = parser.parse_args()
    chosen = [target for target in known if target.rust in options.targets]
    if len(chosen) < len(options.targets):
        parser.error(f"dist-workspace.toml has these: {' '.join(target.rust for target in known)}")

    # maturin searches there for zig, with the Python that has it.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # Tools that write times into packages use this one, so that equal programs make equal packages.
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct")
    shutil.rmtree(OUT, ignore_errors=True)
    WORK.mkdir(parents=True)
    runnable, _ = build_program(next(target for target in known if target.is_here()), options.profile, options.for_here)
    contents.shared(WORK / "shared", runnable)
    contents.below_prefix(WORK / "shared", WORK / "prefix")
    manual_pages = sorted((WORK / "shared/man").iterdir())
    made = [(npm.launcher(known, manual_pages, RELEASE.package, OUT), "npm", None)]
    made += [(schema, "schema", None) for schema in schemas.write(OUT, runnable)]
    made.append((sdist(), "pypi", None))
    for target in chosen or [target for target in known if target.is_built_here()]:
        made += packages_for(target, options.profile, options.for_here)
    shutil.rmtree(WORK)
    write_manifest(made)


def packages_for(target, profile, for_here):
    """Builds the program once, and packs it in each format: returns the file, its kind and its
    target."""
    print(f"making the packages for {target.rust}", file=sys.stderr)
    program, bill = build_program(target, profile, for_here)
    folder = archive_contents(target, program, bill)
    licences = folder / contents.LICENCES
    libraries = wheels_for(target, profile, for_here)
    archive = archives.make(OUT, f"promptls-{target.rust}", target, folder, level=1 if profile == "dev" else 9)
    checksum = Path(f"{archive}.sha256")
    checksum.write_text(f"{sha256(archive)} *{archive.name}\n")
    return [
        *((wheel, "pypi", target) for wheel in libraries),
        (archive, "archive", target),
        (checksum, "checksum", target),
        (npm.platform(target, [program, licences], RELEASE.package, OUT), "npm", target),
        (vsix(target, program, licences), "vscode", target),
    ]


def archive_contents(target, program, bill):
    """A folder with the contents of a target's archive."""
    folder = WORK / f"archive-{target.rust}"
    shutil.copytree(WORK / "shared", folder)
    shutil.copy2(program, folder)
    contents.bill_of_materials(bill, "promptls", target.rust, folder)
    return folder


@cache
def maturin(target, profile, *arguments, **env):
    """A wheel that maturin builds for a target, with more variables in its environment. It is
    linked by zig, except for macOS on a Mac, which uses its own linker."""
    folder = WORK / f"wheel-{target.rust}"
    shutil.rmtree(folder, ignore_errors=True)
    if target.os == "win32":
        keep_exports()
    options = ["--quiet", "--locked", "--profile", profile, "--out", folder]
    run(sys.executable, "-m", "maturin", "build", *options, *arguments, env={**os.environ, **env})
    return next(folder.glob("*.whl"))


def keep_exports():
    """A folder at the path where maturin 1.13 and newer write the symbol that zig exports. With the
    package in the module name, it would be a symbol that does not exist. The library's own
    `build.rs` exports the right one."""
    module = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["maturin"]["module-name"]
    exports = BUILT / "maturin" / f"{module}.def"
    if not exports.is_dir():
        exports.unlink(missing_ok=True)
        exports.mkdir(parents=True)


def linked_for(rust, target):
    """The options for a target and its linker: zig, except for macOS on a Mac, which uses its own
    linker."""
    run("rustup", "target", "add", rust)
    return ["--target", rust, *([] if target.os == "darwin" else ["--zig"])]


def linked_here(target):
    """The options for a wheel that is linked by this machine's linker, for itself."""
    return ["--compatibility", "linux"] if target.os == "linux" else []


@cache
def build_program(target, profile, for_here):
    """The program and its bill of materials, from a wheel built by maturin, because it links with
    zig. With `for_here`, this program without its symbols, and the bill of the wheel, which contains
    it."""
    program = WORK / target.rust / target.program
    program.parent.mkdir()
    if for_here:
        run("strip", "-o", program, for_here)
        return program, bill_of(maturin(target, profile, *linked_here(target)))
    arguments = ["--manifest-path", ROOT / "server/Cargo.toml", "--bindings", "bin", *linked_for(target.rust, target)]
    wheel = maturin(target, profile, *arguments, **STRIPPED)
    with ZipFile(wheel) as opened:
        inside = next(name for name in opened.namelist() if name.endswith(f".data/scripts/{target.program}"))
        program.write_bytes(opened.read(inside))
    program.chmod(0o755)
    return program, bill_of(wheel)


def bill_of(wheel):
    """The bill of materials in a wheel."""
    with ZipFile(wheel) as opened:
        return opened.read(next(name for name in opened.namelist() if name.endswith(".cyclonedx.json"))).decode()


def wheels_for(target, profile, for_here):
    """The wheels of a target: the library for each C library of its Pythons, with the program
    inside."""
    if for_here:
        (rust, _), *_ = target.pythons()
        libraries = [(rust, linked_here(target))]
    else:
        libraries = [(rust, [*linked_for(rust, target), *tags]) for rust, tags in target.pythons()]
    # A wheel has the program and the library, and is small instead of fast.
    profile = "wheel" if profile == "dist" else profile
    made = []
    for rust, options in libraries:
        wheel = maturin(target, profile, *options)
        files = contents.bill_of_materials(bill_of(wheel), "promptls-python", rust, wheel.parent)
        create = wheels.quick if profile == "dev" else wheels.small
        made.append(wheels.complete(wheel, OUT, create, *files, WORK / "prefix"))
    return made


def sdist():
    """The source distribution: the files in git, from which pip builds if there is no wheel."""
    run(sys.executable, "-m", "maturin", "sdist", "--out", OUT)
    return OUT / f"promptls-{RELEASE.version}.tar.gz"


def vsix(target, program, licences):
    """The extension for VS Code, with the program inside and its licences."""
    out = OUT / f"promptls-{target.platform}-{RELEASE.version}.vsix"
    arguments = ["npm", "run", "--silent", "package", "--", out, target.platform, licences]
    run(*arguments, cwd=ROOT / "editors/vscode", env={**os.environ, "PROMPTLS_BINARY": str(program)})
    return out


def write_manifest(made):
    """Prints for each file its kind, its target, its size and its checksum."""
    rows = [
        {
            "name": path.name,
            "kind": kind,
            "target": target and target.rust,
            "size": path.stat().st_size,
            "sha256": sha256(path),
        }
        for path, kind, target in made
    ]
    rows.sort(key=lambda row: row["name"])
    manifest = {"version": RELEASE.version, "artefacts": rows}
    (OUT / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    for row in rows:
        print(f"{row['size']:>10}  {row['name']}")


def run(*command, **options):
    """Runs a command, and returns its output; on failure, shows it."""
    command = [str(it) for it in command]
    options = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
    ended = subprocess.run(command, **options)
    output = ended.stdout.decode(errors="replace").strip()
    if ended.returncode != 0:
        sys.exit(f"{output}\nfailed: {' '.join(command)}")
    return output


if __name__ == "__main__":
    main()
