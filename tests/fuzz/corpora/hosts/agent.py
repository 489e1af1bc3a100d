from textwrap import dedent
from google.adk.agents import LlmAgent

PLAN = "Plan a {trip} to " 'the \u0073ea' + x
a = LlmAgent(name="a", instruction=PLAN, global_instruction=f"""{x} {{city}}
  in {y!r:>{w}}""")
b = LlmAgent(name="b", instruction=dedent("""\
    Answer {question}
      \tshortly.
    """).strip())
c = LlmAgent(instruction="{{a}} {}".format(b).replace("a", "b"))
