//! Resolves prompts for engines, line by line, for comparisons with real engines (`tests/engines`).
//!
//! An input line is JSON: `engines`, `templates`, `agent`, and, as JSON texts so that numbers keep
//! their source form, `inputs` and `declarations`. The output line has a list for each engine with
//! a result for each template: `text`, or `error` with `kind`, `names` and `message`, or
//! `unpredictable`.

use std::io::{BufRead, Write};

use promptls_resolver::{
    Code, Declarations, EngineRef, FileId, Format, Inputs, ResolveContext, Template,
};
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let cases: Value = serde_json::from_str(&line?).expect("a line is JSON");
        writeln!(out, "{}", Value::Array(results(&cases)))?;
        out.flush()?;
    }
    Ok(())
}

fn results(cases: &Value) -> Vec<Value> {
    let text = |key: &str| cases[key].as_str();
    let inputs = Inputs::parse(text("inputs").expect("there are inputs"), Format::Json, FileId(1));
    let inputs = inputs.value.expect("inputs are an object");
    let declarations = text("declarations").map_or_else(Declarations::default, |text| {
        Declarations::parse(text, Format::Json, FileId(2)).value.expect("they are an object")
    });
    let mut given = ResolveContext::new(&inputs, &declarations);
    given.agent = text("agent");
    let list = |key: &str| cases[key].as_array().expect("it is a list").iter();
    let texts = |key: &str| list(key).filter_map(Value::as_str);
    let of_engine = |engine| texts("templates").map(|text| result(engine, text, &given)).collect();
    texts("engines").map(of_engine).collect()
}

fn result(engine: &str, template: &str, given: &ResolveContext<'_>) -> Value {
    let engine = EngineRef::parse(engine).unwrap_or_else(|error| panic!("{error}"));
    let template = Template::compile(engine.engine(), template);
    let resolution = template.resolve(given);
    let rendered = template.render(given);
    let resolved = resolution.error.map_or(Ok(resolution.text), Err);
    assert_eq!(rendered, resolved, "a text is the same with and without its map");

    let is_unpredictable = resolution.problems.iter().any(|p| p.code == Code::EngineUnpredictable);
    match resolved {
        _ if is_unpredictable => json!({"unpredictable": true}),
        Ok(text) => json!({"text": text}),
        Err(error) => {
            json!({"error": {"kind": error.kind.id(), "names": error.names, "message": error.message}})
        }
    }
}
