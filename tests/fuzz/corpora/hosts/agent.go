package v

import "google.golang.org/adk/agent/llmagent"

const plan = `Plan {task}
"so"` + "\t\u0041"

var a = &llmagent.Config{Name: "a", Instruction: plan, GlobalInstruction: "{x}" + y}
