import com.google.adk.kt.agents.Instruction

val plan = Instruction(
    """
      |Plan $city, ${'$'}5, {task}
      |  as ${f("x")} does.
    """.trimMargin(),
)
const val RULES = "Answer {it}\t\$5"
val rules = Instruction(RULES)
