"""An agent that answers customers. Its prompt is where most prompts are: in a string."""

from google.adk.agents import LlmAgent

root_agent = LlmAgent(
    name="support",
    model="gemini-2.5-flash",
    instruction="""You answer customers of {company} on behalf of {app:brand}.

The customer is {user:name}, {user:plan?} plan, here since {since}.
Their last ticket: {artifact.last_ticket.txt}

Be {tone}. Never promise a refund above {refnd_limit} euros.
Answer as JSON: {"reply": "…", "escalate": false}
""",
)
