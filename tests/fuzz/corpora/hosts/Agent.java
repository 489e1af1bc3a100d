import com.google.adk.agents.LlmAgent;
import net.agentensemble.Task;

class Agent {
    static final String RULES = "Answer in {language}.\n";
    LlmAgent a = LlmAgent.builder().name("a").instruction("""
        Plan %d%% for {city}, \
          as \"it\" is.\s
        """.formatted(1)).globalInstruction(RULES + x).build();
    Task t = Task.builder().description("Write {topic}" + y).build();
}
