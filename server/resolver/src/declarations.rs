//! Declarations: the names of a prompt, their types, rules and defaults, and its fragments.
//!
//! The format is that of the PromptPack document: `{"variables": [...], "fragments": {...}}`. An
//! invalid declaration is reported and the rest applies, because the file is usually open in an
//! editor while it is invalid. `rules.rs` defines the rules. Inputs are checked against their
//! declarations during resolution, including defaults.

pub(crate) mod rules;
mod to_json;
mod variable;

use hashbrown::HashTable;

use crate::findings::excerpt;
use crate::findings::problem::{FileId, Problem};
use crate::findings::report::Report;
use crate::from_data::parse_value;
use crate::inputs::Parsed;
use crate::value::{Entry, Object, Value, ValueKind, key_hash};
use promptls_data::Format;
use promptls_data::Span;
pub use variable::{Variable, VariableType};

/// The declarations of a prompt.
///
/// They must be created at once: [`Declarations::variable`] does not find variables that are added
/// later.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The file that contains them.
    pub file: FileId,
    /// All variables in the order of declaration, including repeated names.
    pub variables: Vec<Variable>,
    /// `true` if the variables have an unknown format, so that the declared names are unknown.
    pub has_unread_variables: bool,
    /// All fragments in source order.
    pub fragments: Vec<Fragment>,
    /// Indices into `variables` by name, without repeated names.
    variable_index: HashTable<u32>,
    /// Indices into `fragments` by name.
    fragment_index: HashTable<u32>,
}

/// A named piece of prompt text that other prompts include.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    /// The name of the fragment.
    pub name: Box<str>,
    /// The range of the name, quotes included.
    pub name_span: Span,
    /// The text after escapes are decoded, so its offsets differ from those in `span`.
    pub text: Box<str>,
    /// The range of the text, quotes included.
    pub span: Span,
}

impl Declarations {
    /// Parses a variables file.
    ///
    /// The value is `None` only if the file is not valid JSON or YAML.
    ///
    /// ```
    /// use promptls_resolver::{Declarations, Dialect, FileId, Format, ResolveContext, Template};
    ///
    /// let text = r#"{"variables": [{"name": "tone", "type": "string", "default": "warm"}]}"#;
    /// let declarations = Declarations::parse(text, Format::Json, FileId(1)).value.unwrap();
    /// let nothing = [("", ""); 0];
    /// let template = Template::compile(Dialect::PromptPack, "Be {{tone}}.");
    /// let context = ResolveContext::new(&nothing, &declarations);
    /// assert_eq!(template.render(&context).unwrap(), "Be warm.");
    /// ```
    pub fn parse(text: &str, format: Format, file: FileId) -> Parsed<Declarations> {
        let Parsed { value, mut problems } = parse_value(text, format, file, "no declarations");
        let value = value.map(|value| {
            let (declarations, found) = Declarations::from_value(&value, file);
            problems.extend(found);
            declarations
        });
        Parsed { value, problems }
    }

    /// Reads declarations from the value of a variables file.
    pub fn from_value(value: &Value, file: FileId) -> (Declarations, Vec<Problem>) {
        let mut report = Report::new(file);
        let mut declarations = Declarations { file, ..Declarations::default() };
        if let ValueKind::Object(object) = &value.kind {
            report.near_misses(object, &["variables", "fragments"]);
            let member = |name| object.get(name).map(|entry| &entry.value);
            declarations.read(member("variables"), member("fragments"), &mut report);
        } else {
            let kind = value.kind_name();
            let message =
                format!("a variables file is one object with `variables`; this is {kind}");
            report.wrong_shape(value.span, message);
        }
        (declarations, report.problems)
    }

    /// The same with variables and fragments from different places, as in a pack.
    pub fn from_parts(
        variables: Option<&Value>,
        fragments: Option<&Value>,
        file: FileId,
    ) -> (Declarations, Vec<Problem>) {
        let mut report = Report::new(file);
        let mut declarations = Declarations { file, ..Declarations::default() };
        declarations.read(variables, fragments, &mut report);
        (declarations, report.problems)
    }

    /// The first declaration of a name; `None` if there is none. Cost: constant.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        let is_it = |&at: &u32| *self.variables[at as usize].name == *name;
        let &at = self.variable_index.find(key_hash(name), is_it)?;
        Some(&self.variables[at as usize])
    }

    /// The fragment with a name; `None` if there is none. Cost: constant.
    pub fn fragment(&self, name: &str) -> Option<&Fragment> {
        // Usually there are none, which avoids hashing the name.
        if self.fragments.is_empty() {
            return None;
        }
        let is_it = |&at: &u32| *self.fragments[at as usize].name == *name;
        let &at = self.fragment_index.find(key_hash(name), is_it)?;
        Some(&self.fragments[at as usize])
    }

    fn read(&mut self, variables: Option<&Value>, fragments: Option<&Value>, report: &mut Report) {
        if let Some(value) = variables {
            match value.as_list() {
                Some(items) => {
                    let read = items.iter().filter_map(|item| Variable::read(item, report));
                    self.variables = read.collect();
                }
                None => {
                    report.expected("variables", "an array", value);
                    self.has_unread_variables = true;
                    // Keys are probably names, with values in an unknown format.
                    let named = value.as_object().map(Object::entries).unwrap_or_default();
                    self.variables = named.iter().map(Variable::named).collect();
                }
            }
        }
        if let Some(value) = fragments {
            match value.as_object() {
                Some(object) => {
                    let entries = object.entries().iter();
                    let read = entries.filter_map(|entry| Fragment::read(entry, report));
                    self.fragments = read.collect();
                }
                None => report.expected("fragments", "an object", value),
            }
        }
        self.variable_index = index(&self.variables, |variable| &variable.name);
        self.fragment_index = index(&self.fragments, |fragment| &fragment.name);

        for variable in &self.variables {
            let Some(first) = self.variable(&variable.name) else {
                continue;
            };
            if !std::ptr::eq(first, variable) {
                let name = excerpt::of_text(&variable.name);
                let message = format!("`{name}` is declared twice; the first declaration is used");
                let related = (first.name_span, "first declared here");
                report.contradiction(variable.name_span, message, &variable.name, Some(related));
            }
        }
    }
}

/// Indices by name. Of equal names the first counts.
fn index<T>(items: &[T], name: fn(&T) -> &str) -> HashTable<u32> {
    let name_at = |&at: &u32| name(&items[at as usize]);
    let mut index = HashTable::with_capacity(items.len());
    // A file has at most 4 GiB, and every item has a name in it.
    for at in 0..items.len() as u32 {
        let hash = key_hash(name_at(&at));
        if index.find(hash, |other| name_at(other) == name_at(&at)).is_none() {
            index.insert_unique(hash, at, |other| key_hash(name_at(other)));
        }
    }
    index
}

impl Fragment {
    fn read(entry: &Entry, report: &mut Report) -> Option<Fragment> {
        let ValueKind::String(text) = &entry.value.kind else {
            let (name, kind) = (excerpt::of_text(&entry.key), entry.value.kind_name());
            let message = format!("the fragment `{name}` must be a string, this is {kind}");
            report.wrong_shape(entry.value.span, message);
            return None;
        };
        Some(Fragment {
            name: entry.key.as_ref().into(),
            name_span: entry.key_span,
            text: text.clone(),
            span: entry.value.span,
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::inputs::tests::outline_problems;

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let parsed = Declarations::parse(text, Format::Json, FileId(2));
        let actual = parsed.value.map_or("nothing\n".to_owned(), |it| outline(text, &it));
        expected.assert_eq(&(actual + &outline_problems(&parsed.problems)));
    }

    /// A line for each declaration, with the text of its ranges.
    fn outline(text: &str, declarations: &Declarations) -> String {
        let at = |span: Span| &text[span.range()];
        let mut lines = String::new();
        for variable in &declarations.variables {
            let Variable { name, name_span, declared_type, type_span, required, .. } = variable;
            lines.push_str(&format!("variable {name} {}", at(*name_span)));
            if let Some(span) = type_span {
                let checked = declared_type.map_or("unchecked", VariableType::id);
                lines.push_str(&format!(", {checked} {}", at(*span)));
            }
            if *required {
                lines.push_str(", required");
            }
            for (part, value) in [("default", &variable.default), ("example", &variable.example)] {
                if let Some(value) = value {
                    lines.push_str(&format!(", {part} {}", at(value.span)));
                }
            }
            if let Some(description) = &variable.description {
                lines.push_str(&format!(", description {description:?}"));
            }
            lines.push('\n');
        }
        for Fragment { name, name_span, text, span } in &declarations.fragments {
            lines.push_str(&format!("fragment {name} {} {text:?} {}\n", at(*name_span), at(*span)));
        }
        lines
    }

    #[test]
    fn the_example_of_the_document_is_parsed() {
        check(
            r#"{
                "variables": [
                    {
                        "name": "customer_name",
                        "type": "string",
                        "required": true,
                        "description": "Customer's full name",
                        "example": "John Doe"
                    },
                    {
                        "name": "priority",
                        "type": "string",
                        "required": false,
                        "default": "medium",
                        "validation": {"enum": ["low", "medium", "high", "urgent"]}
                    }
                ],
                "fragments": {"rules": "Be\nkind"}
            }"#,
            expect![[r#"
                variable customer_name "customer_name", string "string", required, example "John Doe", description "Customer's full name"
                variable priority "priority", string "string", default "medium"
                fragment rules "rules" "Be\nkind" "Be\nkind"
            "#]],
        );
    }

    #[test]
    fn yaml_has_the_same_declarations_as_json() {
        let text = "variables:\n- name: age\n  type: number\nfragments:\n  a: |\n    b\n";
        let parsed = Declarations::parse(text, Format::Yaml, FileId(2));
        expect![[r#"
            variable age age, number number
            fragment a a "b\n" b
        "#]]
        .assert_eq(&outline(text, &parsed.value.unwrap()));
    }

    #[test]
    fn declarations_may_be_empty() {
        check("{}", expect![[r#""#]]);
        check(r#"{"variables": [], "fragments": {}, "$schema": "x"}"#, expect![[r#""#]]);
        check(
            "",
            expect![[r#"
            nothing
            2:0..0 error invalid-inputs: the file is empty; write `{}` for no declarations
        "#]],
        );
        check(
            "{",
            expect![[r#"
            nothing
            2:0..1 error invalid-inputs: `{` is never closed; add `}`
        "#]],
        );
    }

    #[test]
    fn an_invalid_declaration_does_not_affect_others() {
        check(
            "[]",
            expect![[r#"
            2:0..2 error invalid-inputs: a variables file is one object with `variables`; this is an array
        "#]],
        );
        check(
            r#"{"variables": {}, "fragments": []}"#,
            expect![[r#"
            2:14..16 error invalid-inputs: `variables` must be an array, this is an object
            2:31..33 error invalid-inputs: `fragments` must be an object, this is an array
        "#]],
        );
        check(
            r#"{"variables": ["a", {}, {"name": 1}, {"name": ""}, {"name": "b"}], "fragments": {"c": 1, "d": "e"}}"#,
            expect![[r#"
                variable b "b"
                fragment d "d" "e" "e"
                2:15..18 error invalid-inputs: a variable is an object with a `name`; this is a string
                2:20..22 error invalid-inputs: a variable needs a `name`
                2:33..34 error invalid-inputs: `name` must be a string, this is a number
                2:46..48 error invalid-inputs: the name of a variable cannot be empty
                2:86..87 error invalid-inputs: the fragment `c` must be a string, this is a number
            "#]],
        );
        check(
            r#"{"variables": [{"name": "a", "type": 1, "required": "yes", "description": [], "validation": "x"}]}"#,
            expect![[r#"
                variable a "a", unchecked 1
                2:92..95 error invalid-inputs: `validation` must be an object, this is a string
                2:37..38 error invalid-inputs: `type` must be a string, this is a number
                2:52..57 error invalid-inputs: `required` must be `true` or `false`, this is a string
                2:74..76 error invalid-inputs: `description` must be a string, this is an array
            "#]],
        );
    }

    #[test]
    fn keys_of_an_object_instead_of_a_list_are_names() {
        check(
            r#"{"variables": {"a": "string", "b": {"required": true}}}"#,
            expect![[r#"
                variable a "a"
                variable b "b"
                2:14..54 error invalid-inputs: `variables` must be an array, this is an object
            "#]],
        );
        let shape = |text| Declarations::parse(text, Format::Json, FileId(2)).value.unwrap();
        assert!(shape(r#"{"variables": {}}"#).has_unread_variables);
        assert!(shape(r#"{"variables": 1}"#).has_unread_variables);
        assert!(!shape(r#"{"variables": [1]}"#).has_unread_variables);
    }

    #[test]
    fn null_equals_a_missing_value() {
        check(
            r#"{"variables": [{"name": "a", "type": null, "required": null, "description": null, "validation": null}]}"#,
            expect![[r#"
                variable a "a"
            "#]],
        );
    }

    #[test]
    fn an_unknown_type_is_not_checked() {
        check(
            r#"{"variables": [{"name": "a", "type": "integer", "example": "b"}]}"#,
            expect![[r#"
            variable a "a", unchecked "integer", example "b"
            2:37..46 info invalid-declaration: the type `integer` is not checked; known types are `string`, `number`, `boolean`, `object`, `array`
        "#]],
        );
    }

    #[test]
    fn a_required_variable_has_no_default() {
        check(
            r#"{"variables": [
                {"name": "a", "required": true, "default": "b"},
                {"name": "c", "required": true, "default": null},
                {"name": "d", "required": false, "default": 1}
            ]}"#,
            expect![[r#"
                variable a "a", required, default "b"
                variable c "c", required, default null
                variable d "d", default 1
                2:75..78 warning invalid-declaration: `a` is required and has a default; PromptKit fails without a value, other engines use the default
                  2:46..56 required here
            "#]],
        );
    }

    #[test]
    fn a_name_is_declared_once() {
        let text = r#"{"variables": [
            {"name": "a", "type": "string"},
            {"name": "a", "type": "number"},
            {"name": "a"}
        ]}"#;
        check(
            text,
            expect![[r#"
            variable a "a", string "string"
            variable a "a", number "number"
            variable a "a"
            2:82..85 error invalid-declaration: `a` is declared twice; the first declaration is used
              2:37..40 first declared here
            2:127..130 error invalid-declaration: `a` is declared twice; the first declaration is used
              2:37..40 first declared here
        "#]],
        );
        let declarations = Declarations::parse(text, Format::Json, FileId(2)).value.unwrap();
        let first = declarations.variable("a").unwrap();
        assert_eq!(first.declared_type, Some(VariableType::String));
    }

    #[test]
    fn each_declared_name_is_found() {
        let variables: Vec<_> = (0..100).map(|n| format!(r#"{{"name": "v{n}"}}"#)).collect();
        let fragments: Vec<_> = (0..100).map(|n| format!(r#""f{n}": "{n}""#)).collect();
        let text = format!(
            r#"{{"variables": [{}], "fragments": {{{}}}}}"#,
            variables.join(","),
            fragments.join(",")
        );
        let declarations = Declarations::parse(&text, Format::Json, FileId(2)).value.unwrap();
        for n in 0..100 {
            assert_eq!(*declarations.variable(&format!("v{n}")).unwrap().name, *format!("v{n}"));
            assert_eq!(*declarations.fragment(&format!("f{n}")).unwrap().text, *n.to_string());
        }
        assert!(declarations.variable("f1").is_none());
        assert!(declarations.fragment("v1").is_none());
    }

    #[test]
    fn rules_for_values_of_another_type_are_reported() {
        check(
            r#"{"variables": [
                {"name": "a", "type": "number", "validation": {"pattern": "x", "minimum": 1}},
                {"name": "b", "type": "string", "validation": {"max_length": 9, "maximum": 2}},
                {"name": "c", "validation": {"min_length": 1, "minimum": 2}}
            ]}"#,
            expect![[r#"
                variable a "a", number "number"
                variable b "b", string "string"
                variable c "c"
                2:90..93 warning invalid-declaration: `pattern` is a rule for a string; `a` is a number, so it has no effect
                  2:54..62 declared here
                2:202..203 warning invalid-declaration: `maximum` is a rule for a number; `b` is a string, so it has no effect
                  2:149..157 declared here
            "#]],
        );
    }

    #[test]
    fn allowed_values_must_satisfy_the_type_and_other_rules() {
        check(
            r#"{"variables": [
                {"name": "a", "type": "number", "validation": {"enum": ["x", 1, "y", null]}},
                {"name": "b", "type": "string", "validation": {"enum": ["", "z"], "min_length": 1}},
                {"name": "c", "validation": {"enum": ["z", 1]}}
            ]}"#,
            expect![[r#"
                variable a "a", number "number"
                variable b "b", string "string"
                variable c "c"
                2:88..91 warning invalid-declaration: a value of `enum` is invalid: `a` must be a number, this is a string, and so is another
                  2:54..62 declared here
                2:182..184 warning invalid-declaration: a value of `enum` is invalid: `b` has 0 characters; at least 1 is required
                  2:206..207 declared here
            "#]],
        );
    }

    #[test]
    fn an_example_that_does_not_fit_is_a_problem() {
        check(
            r#"{"variables": [
                {"name": "a", "type": "number", "example": "1"},
                {"name": "b", "validation": {"max_length": 3}, "example": "long"},
                {"name": "c", "type": "number", "default": "not reported here"},
                {"name": "d", "type": "number", "example": null}
            ]}"#,
            expect![[r#"
                variable a "a", number "number", example "1"
                variable b "b", example "long"
                variable c "c", number "number", default "not reported here"
                variable d "d", number "number", example null
                2:75..78 error invalid-declaration: the example is invalid: `a` must be a number, this is a string
                  2:54..62 declared here
                2:155..161 error invalid-declaration: the example is invalid: `b` has 4 characters; at most 3 are allowed
                  2:140..141 declared here
            "#]],
        );
    }

    #[test]
    fn misspelt_keys_are_found() {
        check(
            r#"{"variable": 1, "variables": [
                {"name": "a", "requird": true, "tpye": "string", "descripton": "b", "defaults": 1},
                {"name": "c", "validation": {"minLength": 1, "maximun": 2, "patern": "d"}},
                {"nme": "e"}
            ], "fragmets": {}}"#,
            expect![[r#"
                variable a "a"
                variable c "c"
                2:267..277 warning invalid-declaration: unknown key `fragmets`; did you mean `fragments`?
                2:61..70 warning invalid-declaration: unknown key `requird`; did you mean `required`?
                2:78..84 warning invalid-declaration: unknown key `tpye`; did you mean `type`?
                2:96..108 warning invalid-declaration: unknown key `descripton`; did you mean `description`?
                2:115..125 warning invalid-declaration: unknown key `defaults`; did you mean `default`?
                2:176..187 warning invalid-declaration: unknown key `minLength`; did you mean `min_length`?
                2:192..201 warning invalid-declaration: unknown key `maximun`; did you mean `maximum`?
                2:206..214 warning invalid-declaration: unknown key `patern`; did you mean `pattern`?
                2:240..245 warning invalid-declaration: unknown key `nme`; did you mean `name`?
                2:239..251 error invalid-inputs: a variable needs a `name`
            "#]],
        );
    }

    #[test]
    fn keys_of_other_tools_are_ignored() {
        check(
            r#"{"version": 1, "variables": [
                {"name": "a", "date": 1, "title": "b", "example": 1, "examples": [1], "values": []}
            ]}"#,
            expect![[r#"
                variable a "a", example 1
            "#]],
        );
    }

    #[test]
    fn variables_and_fragments_can_be_parsed_separately() {
        let value = |text| parse_value(text, Format::Json, FileId(3), "").value.unwrap();
        let (variables, fragments) = (value(r#"[{"name": "a"}]"#), value(r#"{"b": 1}"#));
        let (declarations, problems) =
            Declarations::from_parts(Some(&variables), Some(&fragments), FileId(3));
        assert!(declarations.variable("a").is_some());
        expect![[r#"
            3:6..7 error invalid-inputs: the fragment `b` must be a string, this is a number
        "#]]
        .assert_eq(&outline_problems(&problems));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// Reading a variables file with arbitrary content does not panic.
        #[test]
        fn any_content_is_parsed_without_a_panic(text in shape()) {
            let Declarations { variables, .. } =
                Declarations::parse(&text, Format::Json, FileId(2)).value.unwrap();
            for variable in &variables {
                for value in [&variable.default, &variable.example].into_iter().flatten() {
                    variable.check(value);
                }
            }
        }
    }

    fn shape() -> impl Strategy<Value = String> {
        let value = prop::sample::select(vec![
            "null",
            "true",
            "1",
            "-2.5",
            "\"a\"",
            "\"number\"",
            "\"string\"",
            "\"(\"",
            "[]",
            "[1, {}]",
            "{}",
        ]);
        let entry = |keys: &'static [&'static str], value: BoxedStrategy<String>| {
            let entry = (prop::sample::select(keys), value)
                .prop_map(|(key, value)| format!("\"{key}\": {value}"));
            prop::collection::vec(entry, 0..6)
                .prop_map(|entries| format!("{{{}}}", entries.join(", ")))
        };
        let scalar = value.prop_map(str::to_owned).boxed();
        let rules = entry(
            &["pattern", "min_length", "max_length", "minimum", "maximum", "enum"],
            scalar.clone(),
        );
        let variable = entry(
            &["name", "type", "required", "default", "example", "description", "validation"],
            prop_oneof![scalar.clone(), rules].boxed(),
        );
        let variables =
            prop::collection::vec(prop_oneof![4 => variable, 1 => scalar.clone()], 0..5)
                .prop_map(|items| format!("[{}]", items.join(", ")));
        entry(&["variables", "variables", "fragments"], prop_oneof![scalar, variables].boxed())
    }
}
