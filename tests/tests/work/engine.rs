//! Resolving prompts: the workloads of the benches.

use promptls_resolver::{Declarations, FileId, Format, Inputs, ResolveContext, Template, render};
use promptls_syntax::Dialect;
use promptls_tests::workloads::Workload;

use crate::allocated::allocated;
use crate::counts::Counts;

pub fn count(counts: &mut Counts) {
    for workload in Workload::all() {
        let text = workload.agentle;
        let inputs = workload.inputs.to_string();
        let inputs = Inputs::parse(&inputs, Format::Json, FileId(1)).value.expect("it is JSON");
        let declarations = Declarations::default();
        let given = ResolveContext::new(&inputs, &declarations);
        let compile = || Template::compile(Dialect::Agentle, &text);
        let template = compile();
        let mut count = |work: &str, allocated| {
            counts.add_allocated(&format!("{}, {work}", workload.id), allocated);
        };
        count("compiled", allocated(|| template.render(&given)));
        count("compiled, with its source map", allocated(|| template.resolve(&given)));
        count("from text", allocated(|| render(Dialect::Agentle, &text, &inputs)));
        count("from text, with its source map", allocated(|| compile().resolve(&given)));
    }
}
