//! A page for each problem code: its meaning, why it matters, how to fix it.

use promptls_resolver::Code;

/// The page about a code. A code without a page is a compile error.
pub const fn page(code: Code) -> &'static str {
    macro_rules! page {
        ($id:literal) => {
            include_str!(concat!("explain/", $id, ".md"))
        };
    }
    match code {
        Code::UndefinedPlaceholder => page!("undefined-placeholder"),
        Code::UnusedInput => page!("unused-input"),
        Code::UndeclaredVariable => page!("undeclared-variable"),
        Code::UnusedVariable => page!("unused-variable"),
        Code::TypeMismatch => page!("type-mismatch"),
        Code::InvalidValue => page!("invalid-value"),
        Code::InvalidDeclaration => page!("invalid-declaration"),
        Code::MalformedPlaceholder => page!("malformed-placeholder"),
        Code::UnsupportedSyntax => page!("unsupported-syntax"),
        Code::UnclosedBlock => page!("unclosed-block"),
        Code::StrayCloser => page!("stray-closer"),
        Code::MismatchedCloser => page!("mismatched-closer"),
        Code::SwallowedBrace => page!("swallowed-brace"),
        Code::AccidentalPlaceholder => page!("accidental-placeholder"),
        Code::JsonBraces => page!("json-braces"),
        Code::EscapeHazard => page!("escape-hazard"),
        Code::ValueReresolved => page!("value-reresolved"),
        Code::ModeChangedByBlock => page!("mode-changed-by-block"),
        Code::FragmentCycle => page!("fragment-cycle"),
        Code::PromptReference => page!("prompt-reference"),
        Code::UnknownFragment => page!("unknown-fragment"),
        Code::UnknownCrewMember => page!("unknown-crew-member"),
        Code::FragmentHidesVariable => page!("fragment-hides-variable"),
        Code::LimitExceeded => page!("limit-exceeded"),
        Code::InvalidInputs => page!("invalid-inputs"),
        Code::UnreadableFile => page!("unreadable-file"),
        Code::ComputedPrompt => page!("computed-prompt"),
        Code::UnusedRule => page!("unused-rule"),
        Code::InvalidConfig => page!("invalid-config"),
        Code::DialectGuessed => page!("dialect-guessed"),
        Code::NoInputs => page!("no-inputs"),
        Code::ForeignFrontMatter => page!("foreign-front-matter"),
        Code::DuplicateKey => page!("duplicate-key"),
        Code::AmbiguousSidecar => page!("ambiguous-sidecar"),
        Code::UnusedIgnore => page!("unused-ignore"),
        Code::EngineDiffers => page!("engine-differs"),
        Code::EngineVersionUnknown => page!("engine-version-unknown"),
        Code::EngineUnpredictable => page!("engine-unpredictable"),
        Code::EmptyInput => page!("empty-input"),
        Code::OrphanSidecar => page!("orphan-sidecar"),
        Code::TooManyTokens => page!("too-many-tokens"),
        Code::DiffersFromStore => page!("differs-from-store"),
    }
}

/// The part of a page before its first subsection.
pub fn introduction(code: Code) -> &'static str {
    let body = page(code).split_once("\n\n").map_or("", |(_, body)| body);
    body.split("\n## ").next().unwrap_or(body).trim_end()
}

/// The first paragraph of a page, on one line: the problem in a few sentences.
pub fn description(code: Code) -> String {
    let page = page(code);
    // A page begins with a heading.
    let body = page.split_once("\n\n").map_or(page, |(_, body)| body);
    body.split("\n\n").next().unwrap_or_default().replace('\n', " ")
}

/// The first sentence of a page.
pub fn summary(code: Code) -> String {
    let paragraph = description(code);
    let end = paragraph.find(". ").or(paragraph.find(':')).unwrap_or(paragraph.len());
    format!("{}.", paragraph[..end].trim_end_matches('.'))
}
