from google.adk.agents import LlmAgent

OUT = "plan"
planner = LlmAgent(name="planner", instruction="Plan {city}", output_key=OUT)


def start(ctx, sessions):
    ctx.state["city"] = "Rome"
    ctx.state.setdefault("user:mood", "gay")
    ctx.state[key] = ctx.state.get("town")
    sessions.create(state={"city": 1, **more}, state_delta=dict(plan=2))
