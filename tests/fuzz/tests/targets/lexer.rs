//! The tokens of any text.

use promptls_fuzz::EXECUTIONS;
use promptls_syntax::{Grammar, name_range, tokenize};

use crate::texts::prompts;

fn tokens_are_in_order_and_hold_their_names(text: &str) {
    for grammar in Grammar::all() {
        let mut end = 0;
        tokenize(grammar, text, |token| {
            assert!(end <= token.start && token.start < token.end(), "{token:?} behind {end}");
            end = token.end();
            let source = &text[token.range()];
            let name = name_range(grammar, token.kind, source);
            assert!(source.get(name).is_some(), "{token:?}");
        });
    }
}

#[test]
fn lexer() {
    prompts().each(tokens_are_in_order_and_hold_their_names);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(prompts().text())
        .for_each(|text| tokens_are_in_order_and_hold_their_names(text));
}
