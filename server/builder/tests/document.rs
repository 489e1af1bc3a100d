//! The examples of Agentle's document on its prompt builder, written with this builder.

use promptls_builder::{
    Built, Dialect, Difficulty, Language, OutputFormat, PromptBuilder, builder,
};

fn english() -> PromptBuilder {
    builder(Dialect::Agentle, Language::english())
}

fn portuguese() -> PromptBuilder {
    builder(Dialect::Agentle, Language::find("pt-BR").expect("it is there"))
}

#[track_caller]
fn check(prompt: PromptBuilder, expected: &[&str]) {
    let Built { text, notes, .. } = prompt.build().expect("it can be written");
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert_eq!(notes, [], "\n{text}");
}

#[test]
fn the_examples_of_tasks_are_built() {
    check(
        english()
            .role("data analyst")
            .task("Analyze the sales data")
            .instructions(["Focus on trends", "Identify anomalies"])
            .output_as(OutputFormat::Json),
        &["data analyst", "Analyze the sales data", "2. Identify anomalies", "JSON"],
    );
    check(
        english().task("Solve the math problem").with_chain_of_thought().with_self_verification(),
        &["Think step by step", "check your result"],
    );

    check(english().for_task("Summarize it").input("{{text}}").concise(), &["{{text}}", "concise"]);
    check(
        english().for_extraction("name, email, phone").input("{{text}}"),
        &["name, email, phone"],
    );
    check(
        english().for_classification(["urgent", "normal", "low"]).input("Customer complaint"),
        &["urgent, normal, low", "Customer complaint"],
    );
    check(english().for_code_review().input("{{source}}"), &["{{source}}"]);
    check(english().for_swot_analysis().input("Product launch"), &["Product launch"]);
    check(english().for_data_analysis().input("{{csv}}"), &["{{csv}}"]);
    check(
        english().for_email_drafting("professional").input("A demo"),
        &["professional", "A demo"],
    );

    check(
        portuguese()
            .role("analista financeiro")
            .task("Analise o relatório trimestral")
            .with_chain_of_thought(),
        &["# Papel", "analista financeiro", "# Tarefa", "passo a passo"],
    );
    check(
        english()
            .task("Complex problem solving")
            .with_chain_of_thought()
            .with_step_back()
            .with_self_verification()
            .with_decomposition()
            .with_tree_of_thoughts()
            .with_multiple_perspectives(),
        &["Think step by step", "Split the problem", "three different approaches"],
    );
}

#[test]
fn the_examples_of_outputs_and_context_are_built() {
    check(
        english()
            .task("Extract user data")
            .output_as(OutputFormat::Json)
            .output_schema(r#"{"name": "string", "age": "number"}"#),
        &[r#""age": "number""#],
    );
    check(english().task("Compare products").output_as(OutputFormat::Table), &["table"]);
    check(english().task("Explain deployment process").step_by_step(), &["# Output"]);

    check(
        english()
            .task("Classify sentiment")
            .example("Great product!", "POSITIVE")
            .example("Terrible experience", "NEGATIVE")
            .example("It's okay", "NEUTRAL")
            .shuffled_examples(7)
            .input("This is amazing!"),
        &["Input: It's okay\nOutput: NEUTRAL", "This is amazing!"],
    );
    check(
        english()
            .role("customer support specialist")
            .document("product_manual.md", "The manual.")
            .document("faq.md", "The questions.")
            .background("Customer: Premium tier, Account: 3 years")
            .task("Help customer with their issue")
            .input("{{message}}"),
        &["Document product_manual.md", "Document faq.md", "Premium tier", "{{message}}"],
    );
}

#[test]
fn the_examples_of_presets_and_audiences_are_built() {
    check(
        english().for_code_debugging("NullPointerException at line 42").input("{{source}}"),
        &["NullPointerException at line 42"],
    );
    check(
        english().for_code_refactoring("improve readability").input("{{legacy}}"),
        &["improve readability"],
    );
    check(english().for_decision_making().input("Should we migrate?"), &["Should we migrate?"]);
    check(english().for_root_cause_analysis().input("Production outage"), &["Production outage"]);

    check(english().for_eli5().input("Quantum computing"), &["five"]);
    check(
        english()
            .for_expert_explanation()
            .input("Quantum computing")
            .difficulty_level(Difficulty::Expert),
        &["Difficulty: expert"],
    );
    check(
        english()
            .for_audience("software engineering managers")
            .audience_level("intermediate technical knowledge")
            .task("Explain CI/CD benefits"),
        &["software engineering managers", "intermediate technical knowledge"],
    );

    check(english().task("Summarize it").concise().max_tokens(100), &["concise", "100 tokens"]);
    check(english().task("Explain it").detailed().comprehensive(), &["detailed", "comprehensive"]);
    check(english().task("Write a summary").word_count(200, 300), &["between 200 and 300 words"]);
    check(english().task("Analyze the report").with_tldr(), &["TL;DR"]);
}

#[test]
fn the_order_of_calls_does_not_matter() {
    let first = english()
        .task("Analyze data")
        .role("analyst")
        .with_chain_of_thought()
        .output_as(OutputFormat::Json);
    let second = english()
        .output_as(OutputFormat::Json)
        .with_chain_of_thought()
        .role("analyst")
        .task("Analyze data");
    assert_eq!(first.build(), second.build());
}

#[test]
fn when_applies_calls_only_if_its_condition_is_true() {
    let prompt = |is_premium, needs_analysis| {
        english()
            .role("You help.")
            .task("Process user request")
            .when(is_premium, |it| it.add_personality("VIP-focused"))
            .when(needs_analysis, PromptBuilder::with_chain_of_thought)
            .build()
            .expect("it can be written")
            .text
    };
    let both = prompt(true, true);
    assert!(both.contains("VIP-focused") && both.contains("Think step by step"), "{both}");
    let neither = prompt(false, false);
    assert!(!neither.contains("VIP-focused") && !neither.contains("step by step"), "{neither}");
}
