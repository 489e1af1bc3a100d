//! The values that LangChain for Python accepts as the messages of a chat.

use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::python::formatter::{printed, type_name};
use crate::value::{Object, Value, ValueKind};

/// The roles of messages that need no other keys.
const ROLES: [&str; 6] = ["human", "user", "ai", "assistant", "system", "developer"];

/// The roles of messages with further keys, which are not checked.
const ROLES_WITH_KEYS: [&str; 3] = ["function", "tool", "remove"];

/// The error for the value of the messages with a name; `None` if the engine accepts it.
pub(super) fn messages_error(name: &str, value: &Value) -> Option<EngineError> {
    let message = match &value.kind {
        ValueKind::List(messages) => messages.iter().find_map(refused)?,
        _ => format!(
            "variable {name} should be a list of base messages, got {} of type <class '{}'>",
            printed(value),
            type_name(value)
        ),
    };
    Some(EngineError::new(ErrorKind::Type, vec![name.to_owned()], message))
}

/// The message with which a value is refused as a message of a chat.
fn refused(message: &Value) -> Option<String> {
    match &message.kind {
        ValueKind::String(_) | ValueKind::File(_) => None,
        ValueKind::List(pair) => match &pair[..] {
            [Value { kind: ValueKind::String(role), .. }, content] => {
                refused_role(role).or_else(|| refused_content(content))
            }
            _ => Some("Message as a sequence must be (role string, template)".to_owned()),
        },
        ValueKind::Object(object) => refused_object(message, object),
        _ => Some(format!("Unsupported message type: <class '{}'>", type_name(message))),
    }
}

fn refused_object(message: &Value, object: &Object) -> Option<String> {
    let role = object.get("role").or_else(|| object.get("type"));
    let (Some(role), Some(content)) = (role, object.get("content")) else {
        let written = printed(message);
        return Some(format!("Message dict must contain 'role' and 'content' keys, got {written}"));
    };
    let is_null = content.value.kind == ValueKind::Null;
    let refused_content = || refused_content(&content.value).filter(|_| !is_null);
    refused_role(&printed(&role.value)).or_else(refused_content)
}

fn refused_role(role: &str) -> Option<String> {
    let is_known = ROLES.contains(&role) || ROLES_WITH_KEYS.contains(&role);
    (!is_known).then(|| {
        format!(
            "Unexpected message type: '{role}'. Use one of 'human', 'user', 'ai', 'assistant', \
            'function', 'tool', 'system', or 'developer'."
        )
    })
}

/// The start of the message for a content that is neither a text nor a list.
fn refused_content(content: &Value) -> Option<String> {
    let is_content =
        matches!(content.kind, ValueKind::String(_) | ValueKind::File(_) | ValueKind::List(_));
    (!is_content).then(|| "Input should be a valid string".to_owned())
}

#[cfg(test)]
mod tests {
    use promptls_data::Format;

    use super::messages_error;
    use crate::findings::problem::FileId;
    use crate::inputs::Inputs;

    /// Executed with langchain-core 1.8.3: `MessagesPlaceholder("h")` with these values.
    #[test]
    fn values_are_messages_or_the_error_of_the_library() {
        for (value, expected) in [
            ("[]", None),
            (r#"["hi", ["human", "a"], {"role": "user", "content": "x"}]"#, None),
            (r#"[{"type": "human", "content": null}, {"role": "ai", "content": ["a"]}]"#, None),
            (
                r#""hi""#,
                Some("variable h should be a list of base messages, got hi of type <class 'str'>"),
            ),
            (
                "null",
                Some(
                    "variable h should be a list of base messages, got None of type <class 'NoneType'>",
                ),
            ),
            (
                r#"{"role": "user"}"#,
                Some(
                    "variable h should be a list of base messages, got {'role': 'user'} of type <class 'dict'>",
                ),
            ),
            ("[3]", Some("Unsupported message type: <class 'int'>")),
            (r#"[["a"]]"#, Some("Message as a sequence must be (role string, template)")),
            (
                r#"[{"role": "user"}]"#,
                Some("Message dict must contain 'role' and 'content' keys, got {'role': 'user'}"),
            ),
            (
                r#"[["x", "y"]]"#,
                Some(
                    "Unexpected message type: 'x'. Use one of 'human', 'user', 'ai', 'assistant', \
                    'function', 'tool', 'system', or 'developer'.",
                ),
            ),
            (r#"[["human", 3]]"#, Some("Input should be a valid string")),
        ] {
            let inputs = format!("{{\"h\": {value}}}");
            let inputs = Inputs::parse(&inputs, Format::Json, FileId(1)).value;
            let inputs = inputs.expect("it is an object");
            let value = &inputs.root.get("h").expect("a value").value;
            let error = messages_error("h", value).map(|error| error.message);
            assert_eq!(error.as_deref(), expected, "{inputs:?}");
        }
    }
}
