"""google-adk itself compared with the package for ADK's prompts: the same values, the same
texts."""

import json
import sys
from pathlib import Path

import promptls
import pytest

TESTS = Path(__file__).resolve().parents[1]
VECTORS = [TESTS / "vectors/adk.jsonl", *sorted((TESTS / "vectors/engines").glob("adk-*.jsonl"))]


@pytest.fixture(scope="module")
def google_adk(module_monkeypatch):
    """The engine, as `tests/run engines` starts it."""
    module_monkeypatch.syspath_prepend(TESTS / "engines")
    from packages import install, named
    from programs import engine

    (release,) = named("google-adk==2.13.0")
    install(release)
    with engine(release) as program:
        yield program


@pytest.fixture(scope="module")
def module_monkeypatch():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def cases():
    """The prompts of all vectors, and all values of any vector."""
    vectors = [json.loads(line) for file in VECTORS for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    templates = sorted({it["template"] for it in vectors if it["template"] is not None})
    inputs = {json.dumps(it["inputs"]) for it in vectors if isinstance(it.get("inputs"), dict)}
    return templates, sorted(inputs)


def is_text(text):
    """Whether it is valid text: Python's strings may contain lone surrogates."""
    return not any("\ud800" <= it <= "\udfff" for it in text)


def of_package(prompt, values):
    try:
        return {"text": prompt.render(values)}
    except promptls.EngineError as error:
        return {"error": {"kind": error.kind, "message": str(error)}}


def test_each_prompt_with_each_values_is_what_google_adk_sends(google_adk):
    templates, inputs = cases()
    templates = [it for it in templates if is_text(it)]
    prompts = [promptls.Prompt(it, engine="adk-python@2.13", agent="assistant") for it in templates]
    tried = 0
    # A part of all pairs, and each of both in some.
    for at, written in enumerate(inputs):
        chosen = range(at % 7, len(templates), 7)
        values = json.loads(written)
        google_adk.ask(templates=[templates[it] for it in chosen], inputs=written)
        for it, theirs in zip(chosen, google_adk.answer(), strict=True):
            assert of_package(prompts[it], values) == theirs, (templates[it], values)
            tried += 1
    assert tried > 5_000
