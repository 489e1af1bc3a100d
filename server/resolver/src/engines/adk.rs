//! The engines of Google ADK: for Java, Kotlin, Go, JavaScript and Python.
//!
//! They differ only in names and whitespace (see the grammar), in the form of values and artifacts,
//! and in their messages for missing values.

mod workflow;

pub use workflow::first_field_of_node;

use promptls_syntax::{Dialect, Grammar};

use super::profile::{Language, Profile, Span, Version};
use crate::behaviour::{Behaviour, Null, Verdict};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Lookup, Outcome};
use crate::resolve_context::ResolveContext;
use crate::string_form::StringForm;
use crate::template::{Op, Template};
use crate::values::ValueRef;

/// The differences between the engines.
pub(crate) struct Rules {
    /// The message for a name without a value: `{name}` stands for the name, `{agent}` for the name
    /// of the agent.
    pub missing: &'static str,
    /// The message for a missing artifact.
    pub missing_artifact: &'static str,
    /// The text that is sent for an artifact.
    pub artifact: Artifact,
    /// The result for a missing artifact.
    pub absent_artifact: Absent,
    /// `true` if all names are looked up before anything is replaced: then a name that is required
    /// once is required everywhere, and artifacts are looked up last.
    pub collects_first: bool,
    /// The value of `__proto__`, if names are looked up as members of an object with a prototype.
    pub prototype: Option<&'static str>,
}

/// The text that is sent for an artifact.
#[derive(Clone, Copy)]
pub(crate) enum Artifact {
    /// The text of the artifact.
    Text,
    /// The text of the artifact, but the actual result depends on another package: the reason.
    Unpredictable(&'static str),
    /// The JSON `{"text":"…"}`; the function returns the escape of a character, or `None` to keep
    /// it.
    Part(fn(char) -> Option<String>),
    /// JavaScript's string form of an object.
    Object,
}

/// The result for a missing artifact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// The same as for a name without a value.
    Raises,
    /// An error, even if it is optional.
    AlwaysRaises,
    /// The text `None`, unless its name is empty.
    IsNone,
}

impl Rules {
    /// The behaviour of the documented dialect, without messages.
    pub const DOCUMENTED: Rules = Rules {
        missing: "",
        missing_artifact: "",
        artifact: Artifact::Text,
        absent_artifact: Absent::Raises,
        collects_first: false,
        prototype: None,
    };

    fn of(engine: &Behaviour) -> &'static Rules {
        engine.own.downcast_ref().expect("all engines of this dialect have some")
    }
}

/// The prefix of artifact names.
const ARTIFACT: &str = "artifact.";

/// The common behaviour of engines that were executed.
const RUN: Behaviour = Behaviour {
    lookup: Some(lookup),
    verdict: Some(verdict),
    needs: Some(needs),
    refuses_null: true,
    ..Behaviour::plain(Dialect::Adk)
};

/// The most common messages for names without a value.
const NAMED: Rules = Rules {
    missing: "Context variable not found: `{name}`.",
    missing_artifact: "Artifact {name} not found.",
    ..Rules::DOCUMENTED
};

const NO_NULL: Null =
    Null::Unpredictable("the state of this engine cannot contain null: it prints an address");

pub(super) static JAVA: Profile = Profile {
    id: "adk-java",
    title: "ADK for Java",
    language: Language::Java,
    packages: &["com.google.adk:google-adk", "com.google.adk:google-adk-dev"],
    source: "google/adk-java, InstructionUtils.java (c1bda9c)",
    newest: Version([1, 8, 0]),
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            "an artifact is sent as JSON, {\"text\":\"…\"}",
            "numbers are formatted as in Java",
        ],
        behaviour: Behaviour {
            form: StringForm::JVM,
            null: NO_NULL,
            own: &Rules { artifact: Artifact::Part(jackson_escape), ..NAMED },
            ..RUN
        },
    }],
};

pub(super) static KOTLIN: Profile = Profile {
    id: "adk-kotlin",
    title: "ADK for Kotlin",
    language: Language::Kotlin,
    packages: &[
        "com.google.adk:google-adk-kotlin-core",
        "com.google.adk:google-adk-kotlin-core-jvm",
    ],
    source: "google/adk-kotlin, InstructionStateInjector.kt (bc89fb2)",
    newest: Version([0, 8, 0]),
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            "an artifact is sent as JSON, {\"text\":\"…\"}",
            "numbers are formatted as in Java",
            "names consist of letters, `_` and digits, without `$`",
        ],
        behaviour: Behaviour {
            grammar: Grammar::AdkKotlin,
            form: StringForm::JVM,
            null: NO_NULL,
            own: &Rules { artifact: Artifact::Part(gson_escape), ..NAMED },
            ..RUN
        },
    }],
};

pub(super) static GO: Profile = Profile {
    id: "adk-go",
    title: "ADK for Go",
    language: Language::Go,
    packages: &["google.golang.org/adk"],
    source: "google/adk-go, instruction_processor.go (0a51e15)",
    newest: Version([2, 2, 0]),
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            "lists are [a b], maps map[k:v], numbers as %v prints them",
            "names consist of letters, `_` and digits, without `$`",
            "the error does not contain the missing name",
        ],
        behaviour: Behaviour {
            grammar: Grammar::AdkGo,
            form: StringForm::GO,
            own: &Rules {
                missing: "state key does not exist",
                missing_artifact: "failed to load artifact {name}: artifact not found: file does not exist",
                ..Rules::DOCUMENTED
            },
            ..RUN
        },
    }],
};

const IN_JAVASCRIPT: Behaviour = Behaviour {
    grammar: Grammar::AdkJs,
    form: StringForm::JAVASCRIPT_JSON,
    null: Null::Text("null"),
    ..RUN
};

const OF_JAVASCRIPT: Rules = Rules { collects_first: true, prototype: Some("{}"), ..NAMED };

pub(super) static JAVASCRIPT: Profile = Profile {
    id: "adk-js",
    title: "ADK for JavaScript",
    language: Language::JavaScript,
    packages: &["@google/adk"],
    source: "npm @google/adk, agents/instructions",
    newest: Version([2, 0, 0]),
    spans: &[
        Span {
            from: Version([0, 1, 2]),
            differs: &[
                "names are ASCII",
                "null is the text null, a map [object Object]",
                "a missing artifact is an error even if it is optional; other artifacts are [object Object]",
                "names such as constructor always have a value",
            ],
            behaviour: Behaviour {
                form: StringForm::JAVASCRIPT,
                own: &Rules {
                    artifact: Artifact::Object,
                    absent_artifact: Absent::AlwaysRaises,
                    collects_first: false,
                    prototype: Some("[object Object]"),
                    ..OF_JAVASCRIPT
                },
                ..IN_JAVASCRIPT
            },
        },
        Span {
            from: Version([1, 3, 0]),
            differs: &[
                "a name that is required once is required everywhere; artifacts are replaced last",
            ],
            behaviour: Behaviour {
                form: StringForm::JAVASCRIPT,
                own: &Rules {
                    artifact: Artifact::Object,
                    prototype: Some("[object Object]"),
                    ..OF_JAVASCRIPT
                },
                ..IN_JAVASCRIPT
            },
        },
        Span {
            from: Version([1, 4, 0]),
            differs: &["lists and maps are JSON, artifacts their text"],
            behaviour: Behaviour { own: &OF_JAVASCRIPT, ..IN_JAVASCRIPT },
        },
        Span {
            from: Version([2, 0, 0]),
            differs: &[
                "inside a workflow, {Class.field} and <Class.field from node> are filled in",
            ],
            behaviour: Behaviour {
                own: &OF_JAVASCRIPT,
                workflow: Some(workflow::fill),
                ..IN_JAVASCRIPT
            },
        },
    ],
};

const IN_PYTHON: Behaviour =
    Behaviour { grammar: Grammar::AdkPython, form: StringForm::PYTHON, ..RUN };

const BY_PART: Artifact =
    Artifact::Unpredictable("the text of an artifact depends on the version of google-genai");

/// For versions from 1.14 on.
const OF_PYTHON: Rules = Rules { artifact: BY_PART, ..NAMED };

/// For versions from 2.9 on.
const WITH_AGENT: Rules = Rules {
    missing: "Context variable not found: `{name}` in agent '{agent}'.",
    missing_artifact: "Artifact '{name}' not found in agent '{agent}'.",
    ..OF_PYTHON
};

pub(super) static PYTHON: Profile = Profile {
    id: "adk-python",
    title: "ADK for Python",
    language: Language::Python,
    packages: &["google-adk"],
    source: "PyPI google-adk, instructions_utils.py",
    newest: Version([2, 13, 0]),
    spans: &[
        Span {
            from: Version([0, 1, 0]),
            differs: &[
                "values are formatted as in Python: True, ['x'], {'k': None}",
                "names are Python identifiers",
                "null and a missing artifact are the text None",
            ],
            behaviour: Behaviour {
                null: Null::Text("None"),
                own: &Rules { absent_artifact: Absent::IsNone, ..OF_PYTHON },
                ..IN_PYTHON
            },
        },
        Span {
            from: Version([1, 14, 0]),
            differs: &["null is nothing, a missing artifact an error"],
            behaviour: Behaviour { own: &OF_PYTHON, ..IN_PYTHON },
        },
        Span {
            from: Version([1, 25, 0]),
            differs: &["{{name}} is a literal {name}, only in this version"],
            behaviour: Behaviour {
                grammar: Grammar::AdkPythonDoubled,
                own: &OF_PYTHON,
                ..IN_PYTHON
            },
        },
        Span {
            from: Version([1, 25, 1]),
            differs: &["{{name}} is a placeholder again"],
            behaviour: Behaviour { own: &OF_PYTHON, ..IN_PYTHON },
        },
        Span {
            from: Version([2, 9, 0]),
            differs: &["errors name the agent"],
            behaviour: Behaviour { own: &WITH_AGENT, ..IN_PYTHON },
        },
        Span {
            from: Version([2, 10, 0]),
            differs: &["${name} and \\{name} are literal, including the sign"],
            behaviour: Behaviour {
                grammar: Grammar::AdkPythonSigns,
                own: &WITH_AGENT,
                ..IN_PYTHON
            },
        },
        Span {
            from: Version([2, 12, 0]),
            differs: &["artifacts are sent as their text"],
            behaviour: Behaviour {
                grammar: Grammar::AdkPythonSigns,
                own: &Rules { artifact: Artifact::Text, ..WITH_AGENT },
                ..IN_PYTHON
            },
        },
    ],
};

fn lookup<'a>(
    engine: &Behaviour,
    name: &str,
    root_hash: u64,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    let rules = Rules::of(engine);
    let found = given.values.get_hashed(name, root_hash);
    if let Some(artifact) = name.strip_prefix(ARTIFACT) {
        return match found.and_then(|found| Some((found.as_text()?, found))) {
            Some((text, found)) => rules.artifact(text, &found, given),
            None if rules.absent_artifact == Absent::IsNone && !artifact.is_empty() => {
                Lookup::new(Outcome::Text("None"), None)
            }
            None => Lookup::MISSING,
        };
    }
    match found {
        Some(found) => engine.value_of(found, given.values.file()),
        None => match rules.prototype.and_then(|prototype| of_prototype(name, prototype)) {
            Some(text) => Lookup::new(Outcome::Composed(text), None),
            None => Lookup::MISSING,
        },
    }
}

impl Rules {
    fn artifact<'a>(
        &self,
        text: &'a str,
        found: &ValueRef<'a>,
        given: &ResolveContext<'a>,
    ) -> Lookup<'a> {
        let location = found.as_value().and_then(|value| value.location(given.values.file()));
        let sent = match self.artifact {
            Artifact::Text | Artifact::Unpredictable(_) => Outcome::Text(text),
            Artifact::Object => Outcome::Text("[object Object]"),
            Artifact::Part(escape) => Outcome::Composed(part(text, escape)),
        };
        let lookup = Lookup::new(sent, location);
        match self.artifact {
            Artifact::Unpredictable(why) => lookup.unpredictable(why),
            _ => lookup,
        }
    }
}

/// A message part as JSON.
fn part(text: &str, escape: fn(char) -> Option<String>) -> String {
    let mut json = String::from("{\"text\":\"");
    for character in text.chars() {
        match escape(character) {
            Some(escaped) => json.push_str(&escaped),
            None => json.push(character),
        }
    }
    json.push_str("\"}");
    json
}

/// Jackson's escape of a character in a string; `None` if it is not escaped.
fn jackson_escape(character: char) -> Option<String> {
    Some(match character {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{C}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '\0'..='\u{1F}' => format!("\\u{:04X}", u32::from(character)),
        _ => return None,
    })
}

/// Gson's escape, which is safe for HTML; `None` if the character is not escaped.
fn gson_escape(character: char) -> Option<String> {
    match character {
        '<' | '>' | '&' | '=' | '\'' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1F}' => {
            let short = jackson_escape(character).filter(|escape| escape.len() == 2);
            Some(short.unwrap_or_else(|| format!("\\u{:04x}", u32::from(character))))
        }
        _ => jackson_escape(character),
    }
}

/// `true` if JavaScript finds a member with this name in any object, through its prototype.
pub fn is_in_every_object(name: &str) -> bool {
    of_prototype(name, "").is_some()
}

/// The string form of a member that JavaScript finds in any object, even if it is not an input.
pub(super) fn of_prototype(name: &str, prototype: &str) -> Option<String> {
    match name {
        "__proto__" => Some(prototype.to_owned()),
        "constructor" => Some("function Object() { [native code] }".to_owned()),
        "toString"
        | "toLocaleString"
        | "valueOf"
        | "hasOwnProperty"
        | "isPrototypeOf"
        | "propertyIsEnumerable"
        | "__defineGetter__"
        | "__defineSetter__"
        | "__lookupGetter__"
        | "__lookupSetter__" => Some(format!("function {name}() {{ [native code] }}")),
        _ => None,
    }
}

/// `true` if a name requires a value although it is optional.
pub(crate) fn needs(engine: &Behaviour, name: &str) -> bool {
    match Rules::of(engine).absent_artifact {
        Absent::Raises => false,
        Absent::AlwaysRaises => name.starts_with(ARTIFACT),
        Absent::IsNone => name == ARTIFACT,
    }
}

/// The engine stops at the first missing name.
pub(crate) fn verdict(
    template: &Template<'_>,
    given: &ResolveContext<'_>,
    found: &RunFindings,
) -> Verdict {
    let rules = Rules::of(template.engine);
    let mut missing = found.missing.iter().map(|missing| &*missing.name);
    let first = match rules.collects_first {
        false => missing.next(),
        true => {
            let missing: Vec<&str> = missing.collect();
            let mut in_order = template.ops.iter().filter_map(|op| match op {
                Op::Slot { path, .. } => Some(&*template.paths[*path].name),
                _ => None,
            });
            let states = in_order.clone().filter(|name| !name.starts_with(ARTIFACT));
            let is_missing = |name: &&str| missing.contains(name);
            let state = states.clone().find(|name| is_missing(name));
            state.or_else(|| in_order.find(is_missing))
        }
    };
    let error = first.map(|name| {
        let (message, shown) = match name.strip_prefix(ARTIFACT) {
            Some(artifact) => (rules.missing_artifact, artifact),
            None => (rules.missing, name),
        };
        let message =
            message.replace("{agent}", given.agent.unwrap_or("?")).replace("{name}", shown);
        EngineError::new(ErrorKind::Missing, vec![name.to_owned()], message)
    });
    Verdict { error, ..Verdict::default() }
}
