//! The other engines, and two bounds: copying the finished text, and a handwritten plan.
//!
//! Each peer is used as its authors recommend for speed: compiled once if possible, values
//! converted beforehand, no escaping.

use std::collections::HashMap;

use handlebars::Handlebars;
use minijinja::value::Serde;
use ramhorns::Content;
use serde_json::Value;

use crate::timing::Contestant;
use promptls_tests::workloads::Workload;

/// All peers with compiled templates.
pub fn compiled(workload: &Workload) -> Vec<Contestant<'_>> {
    let mut contestants = vec![
        ramhorns_struct(workload, When::Before),
        ramhorns_map(workload, When::Before),
        tera(workload, When::Before),
        minijinja(workload, When::Before),
        handlebars(workload, When::Before),
        upon(workload, When::Before),
    ];
    contestants.extend(plan(workload));
    contestants.push(copy(workload));
    contestants
}

/// All peers, compiling the text each time.
pub fn from_text(workload: &Workload) -> Vec<Contestant<'_>> {
    vec![
        ramhorns_struct(workload, When::EachTime),
        ramhorns_map(workload, When::EachTime),
        tera(workload, When::EachTime),
        minijinja(workload, When::EachTime),
        handlebars(workload, When::EachTime),
        upon(workload, When::EachTime),
    ]
}

/// Whether compilation is included in the time.
#[derive(Clone, Copy)]
enum When {
    Before,
    EachTime,
}

fn tera(workload: &Workload, when: When) -> Contestant<'_> {
    let context = tera::Context::from_value(workload.inputs.clone()).expect("an object");
    let compile = || {
        let mut engine = tera::Tera::default();
        engine.autoescape_on(Vec::new());
        engine.add_raw_template("t", &workload.jinja).expect("Tera reads its own syntax");
        engine
    };
    let render =
        move |engine: &tera::Tera| engine.render("t", &context).expect("every name has a value");
    contestant("tera", when, compile, render)
}

fn minijinja(workload: &Workload, when: When) -> Contestant<'_> {
    let context = minijinja::Value::from(Serde(&workload.inputs));
    let compile = || {
        let mut engine = minijinja::Environment::new();
        engine.add_template("t", &workload.jinja).expect("MiniJinja reads its own syntax");
        engine
    };
    let render = move |engine: &minijinja::Environment<'_>| {
        let template = engine.get_template("t").expect("it was added");
        template.render(context.clone()).expect("every name has a value")
    };
    contestant("minijinja", when, compile, render)
}

fn handlebars(workload: &Workload, when: When) -> Contestant<'_> {
    let context = handlebars::Context::wraps(&workload.inputs).expect("JSON is JSON");
    let compile = || {
        let mut engine = Handlebars::new();
        engine.register_escape_fn(handlebars::no_escape);
        let text = &workload.handlebars;
        engine.register_template_string("t", text).expect("Handlebars reads its own syntax");
        engine
    };
    let render = move |engine: &Handlebars<'_>| {
        engine.render_with_context("t", &context).expect("every name has a value")
    };
    contestant("handlebars", when, compile, render)
}

fn upon(workload: &Workload, when: When) -> Contestant<'_> {
    let inputs = upon::to_value(&workload.inputs).expect("JSON is simple");
    let compile = || {
        let engine = upon::Engine::new();
        let template = engine.compile(&*workload.jinja).expect("Upon reads its own syntax");
        (engine, template)
    };
    let render = move |(engine, template): &(upon::Engine<'static>, upon::Template<'_>)| {
        template.render_from(engine, &inputs).to_string().expect("every name has a value")
    };
    contestant("upon", when, compile, render)
}

/// Ramhorns with names known at compile time: its best case, which is impossible in an editor.
fn ramhorns_struct(workload: &Workload, when: When) -> Contestant<'_> {
    const NAME: &str = "ramhorns, struct";
    let compile =
        || ramhorns::Template::new(&*workload.mustache).expect("Ramhorns reads its own syntax");
    let text = |name: &str| workload.inputs[name].as_str().unwrap_or_default();
    if let Some(items) = workload.inputs["items"].as_array() {
        let items = items.iter().map(|item| {
            let text = |name: &str| item[name].as_str().unwrap_or_default();
            Item { title: text("title"), author: text("author"), text: text("text") }
        });
        let loops = Loop { items: items.collect() };
        contestant(NAME, when, compile, move |template| template.render(&loops))
    } else if workload.inputs.as_object().is_some_and(|inputs| inputs.len() > 10) {
        let names = Hundred::new(text);
        contestant(NAME, when, compile, move |template| template.render(&names))
    } else {
        let names = Ten::new(text);
        contestant(NAME, when, compile, move |template| template.render(&names))
    }
}

/// Ramhorns with names known at run time, like promptls.
fn ramhorns_map(workload: &Workload, when: When) -> Contestant<'_> {
    const NAME: &str = "ramhorns, map";
    fn texts(value: &Value) -> HashMap<&str, &str> {
        let entries = value.as_object().into_iter().flatten();
        entries.map(|(name, value)| (&**name, value.as_str().unwrap_or_default())).collect()
    }
    let compile =
        || ramhorns::Template::new(&*workload.mustache).expect("Ramhorns reads its own syntax");
    if let Some(items) = workload.inputs["items"].as_array() {
        let items: Vec<_> = items.iter().map(texts).collect();
        let inputs = HashMap::from([("items", items)]);
        contestant(NAME, when, compile, move |template| template.render(&inputs))
    } else {
        let inputs = texts(&workload.inputs);
        contestant(NAME, when, compile, move |template| template.render(&inputs))
    }
}

fn contestant<'a, T: 'a>(
    name: &'static str,
    when: When,
    compile: impl Fn() -> T + 'a,
    render: impl Fn(&T) -> String + 'a,
) -> Contestant<'a> {
    match when {
        When::Before => {
            let compiled = compile();
            Contestant::new(name, move || render(&compiled))
        }
        When::EachTime => Contestant::new(name, move || render(&compile())),
    }
}

/// The practical lower bound of an engine: the pieces in order, without lookups.
fn plan(workload: &Workload) -> Option<Contestant<'_>> {
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = &*workload.agentle;
    while let Some((literal, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}")?;
        pieces.extend([literal, workload.inputs[name].as_str()?]);
        rest = after;
    }
    pieces.push(rest);
    let bytes = pieces.iter().map(|piece| piece.len()).sum();
    Some(Contestant::new("(a plan)", move || {
        let mut text = String::with_capacity(bytes);
        for piece in &pieces {
            text.push_str(piece);
        }
        text
    }))
}

/// The absolute lower bound of every engine.
fn copy(workload: &Workload) -> Contestant<'_> {
    let text = (ramhorns_map(workload, When::Before).make)();
    Contestant::new("(memcpy)", move || text.clone())
}

#[derive(Content)]
struct Loop<'a> {
    items: Vec<Item<'a>>,
}

#[derive(Content)]
struct Item<'a> {
    title: &'a str,
    author: &'a str,
    text: &'a str,
}

/// A struct with these fields, filled by name.
macro_rules! names {
    ($name:ident: $($field:ident)*) => {
        #[derive(Content)]
        struct $name<'a> {
            $($field: &'a str,)*
        }

        impl<'a> $name<'a> {
            fn new(text: impl Fn(&str) -> &'a str) -> Self {
                $name { $($field: text(stringify!($field)),)* }
            }
        }
    };
}

names! { Ten:
    name_00 name_01 name_02 name_03 name_04 name_05 name_06 name_07 name_08 name_09
}

names! { Hundred:
    name_00 name_01 name_02 name_03 name_04 name_05 name_06 name_07 name_08 name_09
    name_10 name_11 name_12 name_13 name_14 name_15 name_16 name_17 name_18 name_19
    name_20 name_21 name_22 name_23 name_24 name_25 name_26 name_27 name_28 name_29
    name_30 name_31 name_32 name_33 name_34 name_35 name_36 name_37 name_38 name_39
    name_40 name_41 name_42 name_43 name_44 name_45 name_46 name_47 name_48 name_49
    name_50 name_51 name_52 name_53 name_54 name_55 name_56 name_57 name_58 name_59
    name_60 name_61 name_62 name_63 name_64 name_65 name_66 name_67 name_68 name_69
    name_70 name_71 name_72 name_73 name_74 name_75 name_76 name_77 name_78 name_79
    name_80 name_81 name_82 name_83 name_84 name_85 name_86 name_87 name_88 name_89
    name_90 name_91 name_92 name_93 name_94 name_95 name_96 name_97 name_98 name_99
}
