"""Every vector of the repository through the package."""

import json
from pathlib import Path

import promptls
import pytest

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
FILES = [*sorted(VECTORS.glob("*.jsonl")), *sorted(VECTORS.glob("engines/*.jsonl"))]


def vectors(file):
    """The cases of a file. Numbers keep their source form, as in inputs files."""
    for line in file.read_text(encoding="utf-8").split("\n")[:-1]:
        yield json.loads(line, parse_float=promptls.WrittenFloat, parse_int=written_int)


def written_int(written):
    number = int(written)
    return number if str(number) == written else promptls.WrittenInt(written)


def prompt_of(vector, file):
    declared = {key: vector[key] for key in ("variables", "fragments") if key in vector}
    return promptls.Prompt(
        vector["template"],
        dialect=vector.get("dialect", file.stem) if "engine" not in vector else None,
        engine=vector.get("engine"),
        agent=vector.get("options", {}).get("agent"),
        variables=declared or None,
    )


def is_for_a_program(vector):
    """Whether it has a prompt, and an application without a workflow could have it."""
    return vector["template"] is not None and "workflow" not in vector.get("options", {})


def rendered(prompt, values):
    try:
        return {"text": prompt.render(values)}
    except promptls.EngineError as error:
        return {"error": error}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_vector_is_rendered_as_its_engine_does(file):
    tried = 0
    for vector in filter(is_for_a_program, vectors(file)):
        prompt = prompt_of(vector, file)
        values = vector.get("inputs") or {}
        actual, expected = rendered(prompt, values), vector["expect"]
        what = f"{vector['name']}: {vector['template']!r}"
        if "error" in expected:
            assert "error" in actual, what
            error, failure = actual["error"], expected["error"]
            assert [error.kind, list(error.names)] == [failure["kind"], failure.get("names", [])], what
            if failure.get("message") is not None:
                assert str(error) == failure["message"], what
        elif vector.get("compare") == "json":
            assert json.loads(actual["text"]) == json.loads(expected["text"]), what
        else:
            assert actual == {"text": expected["text"]}, what
        resolution = prompt.resolve(values)
        assert (resolution.error is None) == ("error" not in actual), what
        if resolution.error is None:
            assert resolution.text == actual["text"], what
            assert "".join(resolution.text[run.start : run.end] for run in resolution.map) == resolution.text, what
        tried += 1
    assert tried > 10
