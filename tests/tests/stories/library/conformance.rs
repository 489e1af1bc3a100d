//! Every vector through the resolver.

use promptls_resolver::{
    Declarations, FileId, Format, Given, Inputs, Resolution, Template, render, render_nullable,
};
use promptls_syntax::Dialect;
use promptls_tests::vectors::{Vector, vectors};

fn resolve(vector: &Vector, text: &str) -> (Resolution, Result<String, String>, Vec<String>) {
    let inputs = match &vector.inputs {
        None => Inputs::empty(),
        Some(text) => {
            let parsed = Inputs::parse(text, Format::Json, FileId(1));
            parsed.value.unwrap_or_else(|| panic!("{}: {:?}", vector.name, parsed.problems))
        }
    };
    let declarations = match &vector.variables {
        None => Declarations::default(),
        Some(text) => {
            Declarations::parse(text, Format::Json, FileId(2)).value.expect("variables are fine")
        }
    };
    let dialect =
        Dialect::from_id(&vector.dialect).expect("a file of vectors is named after a dialect");
    let template = Template::compile(dialect, text);
    let given = Given::new(&inputs, &declarations);
    let rendered = template.render(&given).map_err(|error| error.message);
    if vector.variables.is_none() {
        let at_once = render(dialect, text, &inputs).map_err(|error| error.message);
        assert_eq!(at_once, rendered, "{}: one call does the same", vector.name);
    }
    (template.resolve(&given), rendered, template.names())
}

#[test]
fn every_vector_resolves_as_its_engine_does() {
    let vectors = vectors();
    assert!(vectors.len() > 400, "the vectors are there");
    for vector in &vectors {
        let Some(text) = &vector.template else {
            let dialect = Dialect::from_id(&vector.dialect).expect("this is a dialect");
            let rendered = render_nullable(dialect, None, Some(&[("a", "b")]));
            vector.check(&rendered.map_err(|error| (error.kind.id().to_owned(), error.names)));
            continue;
        };
        let (resolution, rendered, names) = resolve(vector, text);
        let expected_rendered = match &resolution.error {
            None => Ok(resolution.text.clone()),
            Some(error) => Err(error.message.clone()),
        };
        assert_eq!(rendered, expected_rendered, "{}: both ways agree", vector.name);

        vector.check(&match resolution.error {
            None => Ok(Some(resolution.text)),
            Some(error) => Err((error.kind.id().to_owned(), error.names)),
        });
        if let Some(expected) = &vector.names {
            assert_eq!(&names, expected, "{}: {text:?}", vector.name);
        }
    }
}
