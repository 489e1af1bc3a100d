//! The cases of `tests/vectors`: prompts with inputs, and their resolved texts in their dialect.
//! Also those of `tests/vectors/engines`, which were run on real engines.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A case of `tests/vectors`, with its expected text or error.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The language of the prompt, by its id.
    pub dialect: String,
    /// The engine that was run, with its version; `None` for the documented behaviour.
    pub engine: Option<String>,
    /// The keyword of the text in its framework, if the engine depends on it.
    pub field: Option<String>,
    /// The name of the agent whose prompt it is.
    pub agent: Option<String>,
    /// The `input` and `outputs` of a workflow; only a library can be given these.
    pub workflow: Option<Value>,
    /// The name of the case.
    pub name: String,
    /// The prompt; `None` if it is missing.
    pub template: Option<String>,
    /// The inputs file as JSON; `None` without inputs.
    pub inputs: Option<String>,
    /// The variables file as JSON, if the case has one.
    pub variables: Option<String>,
    /// The text that the engine sends, or the kind and the names of its error.
    pub expected: Result<Option<String>, (String, Vec<String>)>,
    /// The engine's own message, where it is known.
    pub message: Option<String>,
    /// Whether texts are compared as JSON values.
    pub compare_as_json: bool,
    /// The root names that the prompt uses, if the case lists them.
    pub names: Option<Vec<String>>,
}

/// All cases of all dialects.
///
/// Numbers keep their source form, as in inputs files.
pub fn vectors() -> Vec<Vector> {
    vectors_in("vectors")
}

/// All cases of all engines except those that need a workflow, which only an application has.
pub fn engine_vectors() -> Vec<Vector> {
    vectors_in("vectors/engines")
}

/// All cases of texts that their engine resolves in another way than the other texts of its
/// framework. Only a framework can select these.
pub fn field_vectors() -> Vec<Vector> {
    vectors_in("vectors/fields")
}

fn vectors_in(folder: &str) -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    files.iter().flat_map(|file| vectors_of(file)).collect()
}

fn vectors_of(file: &Path) -> Vec<Vector> {
    let dialect = file.file_stem().unwrap_or_default().to_string_lossy();
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cases = text.lines().map(|line| -> Value {
        serde_json::from_str(line).expect("a line of a vector file is JSON")
    });
    cases.map(|case| vector(&dialect, &case)).collect()
}

fn vector(file: &str, case: &Value) -> Vector {
    let string = |value: &Value| value.as_str().map(str::to_owned);
    let strings = |value: &Value| -> Option<Vec<String>> {
        Some(value.as_array()?.iter().filter_map(string).collect())
    };
    let declared = case.get("variables").is_some() || case.get("fragments").is_some();
    let variables = declared.then(|| {
        let variables = case.get("variables").cloned().unwrap_or_else(|| Value::Array(Vec::new()));
        let fragments = case.get("fragments").cloned().unwrap_or_else(|| serde_json::json!({}));
        serde_json::json!({"variables": variables, "fragments": fragments}).to_string()
    });
    let expected = match case["expect"].get("error") {
        None => Ok(string(&case["expect"]["text"])),
        Some(error) => Err((
            string(&error["kind"]).expect("an error has a kind"),
            error.get("names").and_then(strings).unwrap_or_default(),
        )),
    };
    Vector {
        dialect: string(&case["dialect"]).unwrap_or_else(|| file.to_owned()),
        engine: string(&case["engine"]),
        field: string(&case["options"]["field"]),
        agent: string(&case["options"]["agent"]),
        workflow: case["options"].get("workflow").cloned(),
        message: string(&case["expect"]["error"]["message"]),
        name: string(&case["name"]).expect("a case has a name"),
        template: string(&case["template"]),
        inputs: case.get("inputs").filter(|inputs| !inputs.is_null()).map(Value::to_string),
        variables,
        expected,
        compare_as_json: case.get("compare").is_some_and(|compare| compare == "json"),
        names: case.get("extract").and_then(strings),
    }
}

impl Vector {
    /// Fails unless this is the engine's result for the prompt.
    #[track_caller]
    pub fn check(&self, actual: &Result<Option<String>, (String, Vec<String>)>) {
        if self.compare_as_json
            && let (Ok(Some(actual)), Ok(Some(expected))) = (actual, &self.expected)
        {
            let json = |text: &str| serde_json::from_str::<Value>(text).ok();
            assert_eq!(json(actual), json(expected), "{self:?}");
            return;
        }
        assert_eq!(actual, &self.expected, "{} {}: {:?}", self.dialect, self.name, self.template);
    }

    /// Fails unless this is the engine's message, if that is known.
    #[track_caller]
    pub fn check_message(&self, actual: Option<&str>) {
        if self.message.is_some() {
            assert_eq!(actual, self.message.as_deref(), "{}: {:?}", self.name, self.template);
        }
    }
}
