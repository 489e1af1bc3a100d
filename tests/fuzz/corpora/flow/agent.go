package a

const out = "plan"

var a = llmagent.Config{OutputKey: out, Instruction: "Plan {city}"}

func f() { ctx.State().Set("city", 1); run(map[string]any{"state": map[string]any{"a": 1}}) }
