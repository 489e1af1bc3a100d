use expect_test::{Expect, expect};

use super::*;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let line = |Stretch { role, heading, body }: Stretch| {
        let role = role.map_or("-", Role::id);
        format!("{role} {:?} {:?}\n", &text[heading], &text[body])
    };
    expected.assert_eq(&split(text).into_iter().map(line).collect::<String>());
}

#[track_caller]
fn none(text: &str) {
    assert_eq!(split(text), [], "{text}");
}

#[test]
fn headings_of_any_level_name_roles() {
    check(
        "Intro\n\n# System\n\nBe kind.\n\n## User:\n  Hi\n### **Assistant** ##\nHello\n# Human message\nBye\n",
        expect![[r####"
            - "" "Intro"
            system "# System" "Be kind."
            user "## User:" "  Hi"
            assistant "### **Assistant** ##" "Hello"
            user "# Human message" "Bye"
        "####]],
    );
    check(
        "# SYSTEM",
        expect![[r####"
        system "# SYSTEM" ""
    "####]],
    );
    check(
        "# System\r\nBe kind.\r\n\r\n# AI\r\n",
        expect![[r####"
        system "# System" "Be kind."
        assistant "# AI" ""
    "####]],
    );
}

#[test]
fn subsections_named_like_a_role_stay_in_their_message() {
    check(
        "# System\n## Tone\nKind.\n## User\nA customer.\n# User\n## Model\nX1\n",
        expect![[r####"
            system "# System" "## Tone\nKind.\n## User\nA customer."
            user "# User" ""
            assistant "## Model" "X1"
        "####]],
    );
}

#[test]
fn headings_with_more_than_a_role_are_no_messages() {
    none("# System requirements\n\n## User interface\n\n#System\n\n    # User\n");
    none("System\n======\n");
    none("# Model\nX1\n# Tool\nsearch\n");
}

#[test]
fn lines_name_roles() {
    check(
        "System: Be kind.\nAnd brief.\n\nUser: Hi\nAssistant: Hello\n\n**User:**\nBye\nassistant:\n",
        expect![[r#"
            system "System:" "Be kind.\nAnd brief."
            user "User:" "Hi"
            assistant "Assistant:" "Hello"
            user "**User:**" "Bye"
            assistant "assistant:" ""
        "#]],
    );
    check(
        "Summarise.\n\nAssistant:",
        expect![[r#"
        - "" "Summarise."
        assistant "Assistant:" ""
    "#]],
    );
}

#[test]
fn prose_about_users_is_no_chat() {
    none("You help people.\nUser: prefers tea\nAssistant: Ada\n");
    none("You help people.\n\nUser: prefers tea\n");
    none("user:name is set. user::new() too.\n\nUsers: many\n\nThe user:\n");
    none("Profile:\n\nuser:\n  name: Ada\n\ntool:\n  - search\n");
    none("Model: X1\nTool: search\n\nBe kind.\n");
    none("");
}

#[test]
fn a_role_inside_a_paragraph_starts_no_message() {
    check(
        "# System\nWhat you know:\nUser: prefers tea\n\nUser: Ada\n",
        expect![[r####"
            system "# System" "What you know:\nUser: prefers tea\n\nUser: Ada"
        "####]],
    );
    check(
        "System: What you know:\n- tea\nUser: prefers it\n\nUser: Hi\n",
        expect![[r#"
            system "System:" "What you know:\n- tea\nUser: prefers it"
            user "User:" "Hi"
        "#]],
    );
}

#[test]
fn fenced_code_is_no_chat() {
    none("```\n# System\n\nUser:\n```\n~~~~\n~~~\nUser:\n");
    check(
        "# User\n```md\n# System\n```\n# Tool\n",
        expect![[r####"
        user "# User" "```md\n# System\n```"
        tool "# Tool" ""
    "####]],
    );
}

#[test]
fn elements_are_messages_only_without_text_outside_of_them() {
    check(
        "<system>\nBe kind.\n</system>\n<user>Hi</user>\n",
        expect![[r#"
            system "<system>" "Be kind."
            user "<user>" "Hi"
        "#]],
    );
    none("Talk to <user>Ada</user>.\n");
    none("<user>Ada</user>\n<topic>AI</topic>\n");
    none("<user>Ada");
}

#[test]
fn special_tokens_of_models_start_messages() {
    check(
        "<|im_start|>system\nBe # User\n<|im_end|>\n<|im_start|>user name=Ada\nHi<|im_end|>\nmore\n<|im_start|>assistant\n",
        expect![[r#"
            system "<|im_start|>system" "Be # User"
            user "<|im_start|>user name=Ada" "Hi"
            - "" "more"
            assistant "<|im_start|>assistant" ""
        "#]],
    );
    check(
        "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        expect![[r#"
            user "<|start_header_id|>user<|end_header_id|>" "Hi"
            assistant "<|start_header_id|>assistant<|end_header_id|>" ""
        "#]],
    );
}
