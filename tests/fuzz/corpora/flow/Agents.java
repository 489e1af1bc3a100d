import net.agentensemble.Ensemble;
import net.agentensemble.Task;

class Agents {
  static final String OUT = "plan";
  void run(Ensemble e) {
    Map<String, Object> inputs = new HashMap<>();
    inputs.put("city", "Rome");
    e.run(inputs);
    Ensemble.builder().task(Task.of("Plan {city}, {town}")).build().run(Map.of("city", "x"));
    LlmAgent.builder().outputKey(OUT).build().state().put("mood", 1);
    Map<String, Object> initialState = new HashMap<>(Map.ofEntries(entry("a", 1)));
  }
}
