val inputs = mapOf("city" to "Rome")
ensemble.run(inputs)
ensemble.run(mapOf("town" to 1))
context.state["mood"] = "gay"
