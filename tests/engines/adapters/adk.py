"""google-adk: `inject_session_state`, with a session that is a dictionary, and artifacts from the
inputs."""

import sys
import types
from pathlib import Path

from alone import answer, import_alone, stand_in

folder = sys.argv[1]
AGENT = "assistant"


class Part:
    """A text in an artifact."""

    def __init__(self, text):
        self.text = text


stand_in("typing_extensions")
stand_in("google.genai", types=types.SimpleNamespace(Part=Part))
stand_in("google.adk.agents.readonly_context")
# The loaded value is a text, which is safe without conversion.
safe = types.SimpleNamespace(as_safe_part_for_llm=lambda part, _name: part)
stand_in("google.adk.tools", load_artifacts_tool=safe)

# From 2.10 on, the other module only re-exports this one.
places = [
    "google.adk.flows.llm_flows.prompt._instructions_utils",
    "google.adk.utils.instructions_utils",
]
place = next(name for name in places if Path(folder, name.replace(".", "/") + ".py").exists())
engine = import_alone(folder, place)


class Artifacts:
    def __init__(self, inputs):
        self.inputs = inputs

    async def load_artifact(self, *, filename, **_session):
        text = self.inputs.get(f"artifact.{filename}")
        return Part(text) if isinstance(text, str) else None


def fill_in(template, state):
    session = types.SimpleNamespace(state=state, app_name="app", user_id="user", id="session")
    invocation = types.SimpleNamespace(session=session, artifact_service=Artifacts(state))
    context = types.SimpleNamespace(_invocation_context=invocation, agent_name=AGENT)
    coroutine = engine.inject_session_state(template, context)
    try:
        # It never awaits, so it needs no event loop.
        coroutine.send(None)
    except StopIteration as done:
        return {"text": done.value}
    except KeyError as error:
        return {"error": {"kind": "missing", "message": error.args[0]}}
    raise AssertionError("it waits for something")


answer(fill_in)
