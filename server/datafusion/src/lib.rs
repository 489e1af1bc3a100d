#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! [`Render`] is the function in SQL. During planning, its first argument is loaded, and the call
//! is replaced by one of a function that contains the prompt (`loaded.rs`). So a prompt is read and
//! compiled once, an error in it ends the query before the first row, and the plan shows its name
//! and hash.

mod load;
mod loaded;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow_schema::DataType;
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use promptls_rows::RowPrompt;

pub use self::load::load;
use self::loaded::Loaded;

/// The result for a row that the engine rejects, and for null rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failing {
    /// The query ends with the engine's error.
    Query,
    /// The text of that row is null; the query continues.
    Null,
}

type Load = dyn Fn(&str) -> std::result::Result<RowPrompt, String> + Send + Sync;

/// `render(PROMPT, ROW)`: the text of a prompt for each row.
///
/// PROMPT is a string literal, ROW a struct whose fields are values: `named_struct('name', name)`.
#[derive(Clone)]
pub struct Render {
    name: String,
    load: Arc<Load>,
    failing: Failing,
    signature: Signature,
}

impl Render {
    /// A function that loads prompts by file path, like the program:
    /// `agents/planner.py#root_agent`.
    pub fn of_files(failing: Failing) -> Render {
        Render::new("render", failing, load)
    }

    /// A function that loads prompts with `load`, which returns a human-readable error.
    pub fn new(
        name: &str,
        failing: Failing,
        load: impl Fn(&str) -> std::result::Result<RowPrompt, String> + Send + Sync + 'static,
    ) -> Render {
        // Files may change, but not during a query.
        let signature = Signature::any(2, Volatility::Stable);
        Render { name: name.to_owned(), load: Arc::new(load), failing, signature }
    }

    /// The function, ready to be registered.
    pub fn into_udf(self) -> ScalarUDF {
        ScalarUDF::from(self)
    }
}

impl std::fmt::Debug for Render {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Render({})", self.name)
    }
}

impl PartialEq for Render {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.failing) == (&other.name, other.failing)
            && Arc::ptr_eq(&self.load, &other.load)
    }
}

impl Eq for Render {}

impl Hash for Render {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, self.failing).hash(state);
    }
}

impl ScalarUDFImpl for Render {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments {
            [_, DataType::Struct(_)] => Ok(DataType::LargeUtf8),
            [_, other] => plan_err!(
                "{} expects a struct of values, as named_struct('name', name); this is {other}",
                self.name
            ),
            _ => plan_err!("{} expects a prompt and a struct of values", self.name),
        }
    }

    fn simplify(&self, arguments: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let [Expr::Literal(prompt, _), row] = &arguments[..] else {
            return Ok(ExprSimplifyResult::Original(arguments));
        };
        let Some(Some(name)) = prompt.try_as_str() else {
            return Ok(ExprSimplifyResult::Original(arguments));
        };
        let prompt = match (self.load)(name) {
            Ok(prompt) => Arc::new(prompt),
            Err(reason) => return plan_err!("{reason}"),
        };
        let loaded = Loaded::new(&self.name, name, prompt, self.failing);
        let call = ScalarUDF::from(loaded).call(vec![row.clone()]);
        Ok(ExprSimplifyResult::Simplified(call))
    }

    /// For a prompt that is no literal, which is an error, and for a call that was not simplified.
    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(ColumnarValue::Scalar(ScalarValue::Utf8(Some(name)))) = arguments.args.first()
        else {
            return exec_err!("the prompt of {} must be a string literal", self.name);
        };
        match (self.load)(name) {
            Ok(prompt) => {
                let loaded = Loaded::new(&self.name, name, Arc::new(prompt), self.failing);
                loaded.texts(&arguments.args[1], arguments.number_rows)
            }
            Err(reason) => exec_err!("{reason}"),
        }
    }
}
