//! The order of calls does not matter.

use promptls_builder::{
    Delimiters, Dialect, Difficulty, Language, OutputFormat, PromptBuilder, builder,
};
use proptest::prelude::*;

/// A call that may come in any position.
struct Call {
    /// The part that it adds to. Calls that add to the same part keep their order.
    adds_to: &'static str,
    call: fn(PromptBuilder) -> PromptBuilder,
}

const CALLS: &[Call] = &[
    Call { adds_to: "role", call: |it| it.role("analyst") },
    Call { adds_to: "expertise", call: |it| it.expertise("statistics") },
    Call { adds_to: "personality", call: |it| it.add_personality("calm") },
    Call { adds_to: "personality", call: |it| it.add_personality("curious") },
    Call { adds_to: "tone", call: |it| it.tone("friendly") },
    Call { adds_to: "system", call: |it| it.system_instruction("Answer in English.") },
    Call { adds_to: "documents", call: |it| it.document("a.md", "First {{one}}") },
    Call { adds_to: "documents", call: |it| it.document("b.md", "Second") },
    Call { adds_to: "background", call: |it| it.background("It is Monday.") },
    Call { adds_to: "sections", call: |it| it.section("Prices", "1.50") },
    Call { adds_to: "data", call: |it| it.data("CSV", "a,b") },
    Call { adds_to: "history", call: |it| it.message("user", "Hi") },
    Call { adds_to: "history", call: |it| it.message("assistant", "Hello") },
    Call { adds_to: "task", call: |it| it.task("Analyse {{data}}") },
    Call { adds_to: "goal", call: |it| it.goal("a decision") },
    Call { adds_to: "instructions", call: |it| it.instructions(["First", "Second"]) },
    Call { adds_to: "instructions", call: |it| it.instructions(["Third"]) },
    Call { adds_to: "requirements", call: |it| it.requirements(["Short"]) },
    Call { adds_to: "constraints", call: |it| it.constraints(["No guesses"]) },
    Call { adds_to: "input", call: |it| it.input("{{text}}") },
    Call { adds_to: "label", call: |it| it.input_label("Letter") },
    Call { adds_to: "raw", call: |it| it.raw("As it is") },
    Call { adds_to: "prefill", call: |it| it.prefill("Well,") },
    Call { adds_to: "examples", call: |it| it.example("a", "A") },
    Call { adds_to: "examples", call: |it| it.example("b", "B") },
    Call { adds_to: "examples", call: |it| it.example("c", "C") },
    Call { adds_to: "limit", call: |it| it.limit_examples(2) },
    Call { adds_to: "seed", call: |it| it.shuffled_examples(7) },
    Call { adds_to: "strategy", call: |it| it.with_chain_of_thought() },
    Call { adds_to: "another strategy", call: |it| it.with_self_verification() },
    Call { adds_to: "reasoning", call: |it| it.reasoning("Think of the weather.") },
    Call { adds_to: "format", call: |it| it.output_as(OutputFormat::Json) },
    Call { adds_to: "schema", call: |it| it.output_schema(r#"{"a": 1}"#) },
    Call { adds_to: "description", call: |it| it.output_description("Numbers.") },
    Call { adds_to: "output constraints", call: |it| it.output_constraints(["Rounded"]) },
    Call { adds_to: "audience", call: |it| it.for_audience("managers") },
    Call { adds_to: "level", call: |it| it.audience_level("the basics") },
    Call { adds_to: "difficulty", call: |it| it.difficulty_level(Difficulty::Advanced) },
    Call { adds_to: "words", call: |it| it.word_count(10, 20) },
    Call { adds_to: "tokens", call: |it| it.max_tokens(100) },
    Call { adds_to: "tldr", call: |it| it.with_tldr() },
    Call { adds_to: "delimiters", call: |it| it.delimiters(Delimiters::Xml) },
    Call { adds_to: "template", call: |it| it.for_code_review() },
    Call { adds_to: "condition", call: |it| it.when(true, PromptBuilder::detailed) },
];

/// Any permutation of the table in which calls that add to the same part keep their order.
fn any_order() -> impl Strategy<Value = Vec<usize>> {
    let all: Vec<usize> = (0..CALLS.len()).collect();
    Just(all).prop_shuffle().prop_map(|mut order| {
        for adds_to in CALLS.iter().map(|call| call.adds_to) {
            let adds = |call: usize| CALLS[call].adds_to == adds_to;
            let places: Vec<usize> = (0..order.len()).filter(|&at| adds(order[at])).collect();
            for (at, call) in places.into_iter().zip((0..CALLS.len()).filter(|&call| adds(call))) {
                order[at] = call;
            }
        }
        order
    })
}

fn build(order: &[usize]) -> String {
    let start = builder(Dialect::Agentle, Language::english());
    let built = order.iter().fold(start, |it, &call| (CALLS[call].call)(it)).build();
    built.expect("nothing of it is refused").text
}

proptest! {
    /// The order does not matter for all calls, or for some of them.
    #[test]
    fn any_order_of_calls_gives_the_same_bytes(order in any_order(), count in 0..=CALLS.len()) {
        let order = &order[..count];
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        prop_assert_eq!(build(order), build(&sorted));
    }
}

#[test]
fn conflicting_values_are_refused_in_any_order() {
    let start = || builder(Dialect::Adk, Language::english());
    let one = start().role("a").role("b").build().unwrap_err();
    let other = start().role("b").role("a").build().unwrap_err();
    assert_eq!(one, other);
    assert_eq!(one.to_string(), "this is set twice, to different values: role");
    assert!(start().role("a").role("a").build().is_ok());
}

#[test]
fn values_of_the_user_override_those_of_a_template() {
    let start = || builder(Dialect::Adk, Language::english());
    let before = start().role("Mine").for_qa().instructions(["Last"]).build().unwrap();
    let after = start().instructions(["Last"]).for_qa().role("Mine").build().unwrap();
    assert_eq!(before, after);
    assert!(before.text.starts_with("# Role\n\nMine\n"), "{}", before.text);
    assert!(before.text.contains("4. If it can be") && before.text.contains("5. Last"));
}
