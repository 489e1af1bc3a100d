from google.adk.agents import LlmAgent
b = "google.ugolang.org/adk"
c = LlmAgent(instruction="{{a}} {}".format(b).replace("a", "b"))
