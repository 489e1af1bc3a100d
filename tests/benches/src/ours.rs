//! The promptls engine as a contestant.

use promptls_resolver::{
    Declarations, Engine, FileId, Format, Inputs, ResolveContext, Template, render,
};
use serde_json::Value;

use crate::timing::Contestant;

/// A prompt for one engine, with all data for resolving it.
pub struct Prompt {
    engine: Engine,
    text: String,
    inputs: Inputs,
    declarations: Declarations,
}

impl Prompt {
    pub fn new(engine: impl Into<Engine>, text: String, inputs: &Value) -> Self {
        let parsed = Inputs::parse(&inputs.to_string(), Format::Json, FileId(1));
        Prompt {
            engine: engine.into(),
            text,
            inputs: parsed.value.expect("what serde_json writes is JSON"),
            declarations: Declarations::default(),
        }
    }

    fn given(&self) -> ResolveContext<'_> {
        ResolveContext::new(&self.inputs, &self.declarations)
    }

    /// Resolves a compiled template to text only.
    pub fn render(&self, name: &'static str) -> Contestant<'_> {
        let template = Template::compile(self.engine, &self.text);
        let given = self.given();
        Contestant::new(name, move || template.render(&given).expect("every name has a value"))
    }

    /// Resolves a compiled template to text, source map and problems.
    pub fn resolve(&self, name: &'static str) -> Contestant<'_> {
        let template = Template::compile(self.engine, &self.text);
        let given = self.given();
        Contestant::new(name, move || template.resolve(&given).text)
    }

    /// Compiles the template each time.
    pub fn compile_and_render(&self, name: &'static str) -> Contestant<'_> {
        Contestant::new(name, move || {
            render(self.engine, &self.text, &self.inputs).expect("every name has a value")
        })
    }
}
