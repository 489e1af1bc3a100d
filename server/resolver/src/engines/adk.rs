//! The engines of Google ADK: for Java, Kotlin, Go, JavaScript and Python.
//!
//! They differ only in names and whitespace (see the grammar), in the form of values and artifacts,
//! and in their messages for missing values.

mod workflow;

pub use workflow::first_field_of_node;

use promptls_syntax::{Dialect, Grammar};

use super::profile::{Language, Profile, ReservedEngine, Span, Version};
use crate::behaviour::{Behaviour, Facts, Null, Verdict};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Lookup, Outcome};
use crate::resolution::Resolution;
use crate::resolve_context::{ResolveContext, Workflow};
use crate::string_form::StringForm;
use crate::template::{Execution, Op};
use crate::values::ValueRef;

/// An engine that was executed.
struct Adk {
    facts: Facts,
    rules: Rules,
}

/// The differences between the engines, beyond their facts.
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
}

/// The prefix of artifact names.
const ARTIFACT: &str = "artifact.";

/// The common facts about engines that were executed.
const RUN: Facts = Facts { refuses_null: true, ..Facts::plain(Dialect::Adk) };

/// The most common messages for names without a value.
const NAMED: Rules = Rules {
    missing: "Context variable not found: `{name}`.",
    missing_artifact: "Artifact {name} not found.",
    ..Rules::DOCUMENTED
};

const NO_NULL: Null =
    Null::Unpredictable("the state of this engine cannot contain null: it prints an address");

// The differences that several engines share.
const JSON_ARTIFACTS: &str = "an artifact is sent as JSON, {\"text\":\"…\"}";
const JAVA_NUMBERS: &str = "numbers are formatted as in Java";
const NO_DOLLARS: &str = "names consist of letters, `_` and digits, without `$`";

static JAVA_EACH: Adk = Adk {
    facts: Facts { form: StringForm::JVM, null: NO_NULL, ..RUN },
    rules: Rules { artifact: Artifact::Part(jackson_escape), ..NAMED },
};

pub(super) static JAVA: Profile = Profile {
    id: "adk-java",
    title: "ADK for Java",
    language: Language::Java,
    packages: &["com.google.adk:google-adk", "com.google.adk:google-adk-dev"],
    source: "google/adk-java, InstructionUtils.java (c1bda9c)",
    newest: Version([1, 8, 0]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[JSON_ARTIFACTS, JAVA_NUMBERS],
        behaviour: &JAVA_EACH,
    }],
};

static KOTLIN_EACH: Adk = Adk {
    facts: Facts { grammar: Grammar::AdkKotlin, form: StringForm::JVM, null: NO_NULL, ..RUN },
    rules: Rules { artifact: Artifact::Part(gson_escape), ..NAMED },
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
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[JSON_ARTIFACTS, JAVA_NUMBERS, NO_DOLLARS],
        behaviour: &KOTLIN_EACH,
    }],
};

static GO_EACH: Adk = Adk {
    facts: Facts { grammar: Grammar::AdkGo, form: StringForm::GO, ..RUN },
    rules: Rules {
        missing: "state key does not exist",
        missing_artifact: "failed to load artifact {name}: artifact not found: file does not exist",
        ..Rules::DOCUMENTED
    },
};

pub(super) static GO: Profile = Profile {
    id: "adk-go",
    title: "ADK for Go",
    language: Language::Go,
    packages: &["google.golang.org/adk"],
    source: "google/adk-go, instruction_processor.go (0a51e15)",
    newest: Version([2, 2, 0]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            "lists are [a b], maps map[k:v], numbers as %v prints them",
            NO_DOLLARS,
            "the error does not contain the missing name",
        ],
        behaviour: &GO_EACH,
    }],
};

const IN_JAVASCRIPT: Facts = Facts {
    grammar: Grammar::AdkJs,
    form: StringForm::JAVASCRIPT_JSON,
    null: Null::Text("null"),
    ..RUN
};

const OF_JAVASCRIPT: Rules = Rules { collects_first: true, prototype: Some("{}"), ..NAMED };

static JAVASCRIPT_0_1_2: Adk = Adk {
    facts: Facts { form: StringForm::JAVASCRIPT, ..IN_JAVASCRIPT },
    rules: Rules {
        artifact: Artifact::Object,
        absent_artifact: Absent::AlwaysRaises,
        collects_first: false,
        prototype: Some("[object Object]"),
        ..OF_JAVASCRIPT
    },
};

static JAVASCRIPT_1_3: Adk = Adk {
    facts: Facts { form: StringForm::JAVASCRIPT, ..IN_JAVASCRIPT },
    rules: Rules {
        artifact: Artifact::Object,
        prototype: Some("[object Object]"),
        ..OF_JAVASCRIPT
    },
};

static JAVASCRIPT_1_4: Adk = Adk { facts: IN_JAVASCRIPT, rules: OF_JAVASCRIPT };

static JAVASCRIPT_2: Adk =
    Adk { facts: Facts { has_workflows: true, ..IN_JAVASCRIPT }, rules: OF_JAVASCRIPT };

pub(super) static JAVASCRIPT: Profile = Profile {
    id: "adk-js",
    title: "ADK for JavaScript",
    language: Language::JavaScript,
    packages: &["@google/adk"],
    source: "npm @google/adk, agents/instructions",
    newest: Version([2, 0, 0]),
    fields: &[],
    spans: &[
        Span {
            from: Version([0, 1, 2]),
            differs: &[
                "names are ASCII",
                "null is the text null, a map [object Object]",
                "a missing artifact is an error even if it is optional; other artifacts are [object Object]",
                "names such as constructor always have a value",
            ],
            behaviour: &JAVASCRIPT_0_1_2,
        },
        Span {
            from: Version([1, 3, 0]),
            differs: &[
                "a name that is required once is required everywhere; artifacts are replaced last",
            ],
            behaviour: &JAVASCRIPT_1_3,
        },
        Span {
            from: Version([1, 4, 0]),
            differs: &["lists and maps are JSON, artifacts their text"],
            behaviour: &JAVASCRIPT_1_4,
        },
        Span {
            from: Version([2, 0, 0]),
            differs: &[
                "inside a workflow, {Class.field} and <Class.field from node> are filled in",
            ],
            behaviour: &JAVASCRIPT_2,
        },
    ],
};

const IN_PYTHON: Facts = Facts { grammar: Grammar::AdkPython, form: StringForm::PYTHON, ..RUN };

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

static PYTHON_0_1: Adk = Adk {
    facts: Facts { null: Null::Text("None"), ..IN_PYTHON },
    rules: Rules { absent_artifact: Absent::IsNone, ..OF_PYTHON },
};

static PYTHON_1_14: Adk = Adk { facts: IN_PYTHON, rules: OF_PYTHON };

static PYTHON_1_25: Adk =
    Adk { facts: Facts { grammar: Grammar::AdkPythonDoubled, ..IN_PYTHON }, rules: OF_PYTHON };

static PYTHON_1_25_1: Adk = Adk { facts: IN_PYTHON, rules: OF_PYTHON };

static PYTHON_2_9: Adk = Adk { facts: IN_PYTHON, rules: WITH_AGENT };

const SIGNS: Facts = Facts { grammar: Grammar::AdkPythonSigns, ..IN_PYTHON };

static PYTHON_2_10: Adk = Adk { facts: SIGNS, rules: WITH_AGENT };

static PYTHON_2_12: Adk =
    Adk { facts: SIGNS, rules: Rules { artifact: Artifact::Text, ..WITH_AGENT } };

pub(super) static PYTHON_JINJA2: ReservedEngine = ReservedEngine {
    id: "adk-python-jinja2",
    title: "ADK for Python with Jinja2",
    dialect: Dialect::Adk,
    language: Language::Python,
    packages: &[],
    older_than: None,
    reason: "no template engine for Rust reproduces Jinja2 byte for byte",
};

pub(super) static PYTHON: Profile = Profile {
    id: "adk-python",
    title: "ADK for Python",
    language: Language::Python,
    packages: &["google-adk"],
    source: "PyPI google-adk, instructions_utils.py",
    newest: Version([2, 13, 0]),
    fields: &[],
    spans: &[
        Span {
            from: Version([0, 1, 0]),
            differs: &[
                "values are formatted as in Python: True, ['x'], {'k': None}",
                "names are Python identifiers",
                "null and a missing artifact are the text None",
            ],
            behaviour: &PYTHON_0_1,
        },
        Span {
            from: Version([1, 14, 0]),
            differs: &["null is nothing, a missing artifact an error"],
            behaviour: &PYTHON_1_14,
        },
        Span {
            from: Version([1, 25, 0]),
            differs: &["{{name}} is a literal {name}, only in this version"],
            behaviour: &PYTHON_1_25,
        },
        Span {
            from: Version([1, 25, 1]),
            differs: &["{{name}} is a placeholder again"],
            behaviour: &PYTHON_1_25_1,
        },
        Span {
            from: Version([2, 9, 0]),
            differs: &["errors name the agent"],
            behaviour: &PYTHON_2_9,
        },
        Span {
            from: Version([2, 10, 0]),
            differs: &["${name} and \\{name} are literal, including the sign"],
            behaviour: &PYTHON_2_10,
        },
        Span {
            from: Version([2, 12, 0]),
            differs: &["artifacts are sent as their text"],
            behaviour: &PYTHON_2_12,
        },
    ],
};

impl Behaviour for Adk {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let rules = &self.rules;
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
            Some(found) => self.value_of(found, given.values.file()),
            None => match rules.prototype.and_then(|prototype| of_prototype(name, prototype)) {
                Some(text) => Lookup::new(Outcome::Composed(text), None),
                None => Lookup::MISSING,
            },
        }
    }

    fn needs(&self, name: &str) -> bool {
        self.rules.needs(name)
    }

    fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        self.rules.verdict(execution, found)
    }

    fn fill_in_workflow(
        &self,
        execution: Execution<'_>,
        workflow: &Workflow,
        without: Resolution,
    ) -> Resolution {
        workflow::fill(execution, workflow, without)
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

    /// `true` if a name requires a value although it is optional.
    pub fn needs(&self, name: &str) -> bool {
        match self.absent_artifact {
            Absent::Raises => false,
            Absent::AlwaysRaises => name.starts_with(ARTIFACT),
            Absent::IsNone => name == ARTIFACT,
        }
    }

    /// The error for the first missing name, where the engine stops.
    pub fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        let Execution { template, given } = execution;
        let mut missing = found.missing.iter().map(|missing| &*missing.name);
        let first = match self.collects_first {
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
                Some(artifact) => (self.missing_artifact, artifact),
                None => (self.missing, name),
            };
            let message =
                message.replace("{agent}", given.agent.unwrap_or("?")).replace("{name}", shown);
            EngineError::new(ErrorKind::Missing, vec![name.to_owned()], message)
        });
        Verdict { error, ..Verdict::default() }
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
pub(in crate::engines) fn of_prototype(name: &str, prototype: &str) -> Option<String> {
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
