//! The function of one prompt.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{LargeStringArray, StructArray};
use arrow_schema::DataType;
use datafusion_common::{Result, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use promptls_resolver::Object;
use promptls_rows::{Columns, Resolver, RowPrompt};

use crate::Failing;

/// The number of hash digits shown, enough to distinguish prompts.
const SHORT: usize = 12;

/// A prompt as a function of a struct of its values.
#[derive(Debug)]
pub struct Loaded {
    /// The displayed name: `render[support.adk.prompt 1a2b3c4d5e6f]`.
    name: String,
    prompt: Arc<RowPrompt>,
    failing: Failing,
    signature: Signature,
}

impl Loaded {
    pub fn new(function: &str, name: &str, prompt: Arc<RowPrompt>, failing: Failing) -> Loaded {
        let name = format!("{function}[{name} {}]", &prompt.hash()[..SHORT]);
        Loaded { name, prompt, failing, signature: Signature::any(1, Volatility::Immutable) }
    }

    /// The text of each row. Runs on the threads of DataFusion, which has one for each core.
    pub fn texts(&self, rows: &ColumnarValue, number: usize) -> Result<ColumnarValue> {
        let rows = rows.to_array(number)?;
        let Some(rows) = rows.as_struct_opt() else {
            return exec_err!("{} expects a struct of values", self.name);
        };
        let nothing = Object::default();
        let resolver = Resolver { prompt: &self.prompt, above: &nothing };
        let columns = match Columns::of_structs(rows, &resolver) {
            Ok(columns) => columns,
            Err(error) => return exec_err!("{}: {error}", self.name),
        };
        let mut texts = Vec::with_capacity(columns.rows());
        for row in 0..columns.rows() {
            match (columns.outcome(row, &resolver), self.failing) {
                (Ok(text), _) => texts.push(Some(text)),
                (Err(_), Failing::Null) => texts.push(None),
                (Err(error), Failing::Query) => {
                    return exec_err!("{}: {error}", self.name);
                }
            }
        }
        Ok(ColumnarValue::Array(Arc::new(LargeStringArray::from(texts))))
    }
}

impl PartialEq for Loaded {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.prompt.hash(), self.failing)
            == (&other.name, other.prompt.hash(), other.failing)
    }
}

impl Eq for Loaded {}

impl Hash for Loaded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, self.prompt.hash(), self.failing).hash(state);
    }
}

impl ScalarUDFImpl for Loaded {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Runs during planning, so that a missing column is reported before the first row.
    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        let [DataType::Struct(fields)] = arguments else {
            return plan_err!("{} expects a struct of values", self.name);
        };
        let nothing = Object::default();
        let resolver = Resolver { prompt: &self.prompt, above: &nothing };
        let none = StructArray::new_null(fields.clone(), 0);
        match Columns::of_structs(&none, &resolver) {
            Ok(_) => Ok(DataType::LargeUtf8),
            Err(error) => plan_err!("{}: {error}", self.name),
        }
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [rows] = &arguments.args[..] else {
            return exec_err!("{} expects a struct of values", self.name);
        };
        self.texts(rows, arguments.number_rows)
    }
}
