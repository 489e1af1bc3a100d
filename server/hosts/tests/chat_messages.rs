//! Templates of LangChain, LlamaIndex and CrewAI in code: lists of messages, formats, engines.

use promptls_hosts::{ChatContent, Language, find_with};

const PYTHON: &str = "from langchain_core.prompts import ChatPromptTemplate as C, PromptTemplate as P\n\
    from llama_index.core import ChatPromptTemplate as L\n\
    from crewai import Task\n";
const SCRIPT: &str =
    "import { ChatPromptTemplate as C, PromptTemplate as P } from '@langchain/core/prompts';\n";

/// The prompts of some code as `name engine text`, and the number of those that are not read.
fn read(language: Language, code: &str) -> (Vec<String>, usize) {
    let head = if language == Language::Python { PYTHON } else { SCRIPT };
    let finds = find_with(language, &format!("{head}{code}\n"), &[], &[]);
    let shown = finds.prompts.iter().map(|prompt| {
        format!(
            "{} {} {}",
            prompt.name,
            prompt.engine.map_or("-", |engine| engine.id),
            prompt.text.text()
        )
    });
    (shown.collect(), finds.computed.len() + finds.unread.len())
}

#[test]
fn messages_of_lists_are_prompts() {
    const A: &str = "p.system langchain-python {a}";
    use Language::{Python, TypeScript};
    for (language, code, expected, unread) in [
        (Python, "p = C([('system', '{a}'), ('other', '{b}')])", &[A][..], 1),
        (Python, "m = [('system', '{a}')]\np = C(m)", &[A], 0),
        (Python, "p = C([('system', '{a}'), ['human', '{b}'], ('ai', '{c}', 1)])", &[A], 2),
        (Python, "p = C([('system', '{a}'), *history, Message(content='{b}')])", &[A], 2),
        (Python, "p = C([{'role': 'system', 'content': '{a}'}, {'content': '{b}'}])", &[A], 1),
        (Python, "p = C([('system', '{a}'), message])", &[A], 1),
        (Python, "p = C([('system', '{a}'), MessagesPlaceholder('h')])", &[A], 0),
        (Python, "p = C([('system', '{a}'), SystemMessage(content='b')])", &[A], 0),
        (Python, "m = [('system', '{a}')]\nm.append(x)\np = C(m)", &[A], 1),
        (Python, "m = [('system', '{a}')]\nm += x\np = C(m)", &[], 1),
        (Python, "p = C([('system', '{a}'), ('human', f())])", &[A], 1),
        (Python, "p = C([('system', [{'type': 'image_url', 'image_url': '{b}'}])])", &[], 1),
        (Python, "p = C([('system', [{'type': 'image_url', 'image_url': 'b'}])])", &[], 0),
        (Python, "p = C(messages())", &[], 1),
        (
            Python,
            "B = '{b}'\np = C(['{a}', B])",
            &["B langchain-python {b}", "p.human langchain-python {a}"],
            0,
        ),
        (
            Python,
            "def make(s):\n  return C([('system', s), ('human', '{b}')])\np = make('{a}')",
            &["make.human langchain-python {b}", A],
            0,
        ),
        (
            Python,
            "p = L.from_messages([('system', '{a}')])",
            &["p.system llamaindex-python {a}"],
            0,
        ),
        (Python, "p = L.from_messages([{'role': 'system', 'content': '{a}'}, '{b}'])", &[], 2),
        (
            TypeScript,
            "const p = C.fromMessages([['system', '{a}'], ['placeholder', '{b}']] as const)",
            &["p.system langchain-js {a}"],
            0,
        ),
        (
            TypeScript,
            "const p = C.fromMessages<{ a: string, b?: Record<string, 'x'[]> }>([['system', '{a}']])",
            &["p.system langchain-js {a}"],
            0,
        ),
        (
            TypeScript,
            "const p = C.fromMessages([['system', '{a}'] as const, ['human', '{b}'] as [string, string]])",
            &["p.human langchain-js {b}", "p.system langchain-js {a}"],
            0,
        ),
        (
            TypeScript,
            "const p = new P<Inputs>({ template: '{a}' })\nif (i < 3 && p > (q)) {}",
            &["p langchain-js {a}"],
            0,
        ),
        (
            TypeScript,
            "const p = C.fromMessages([{ role: 'user', content: '{a}' }, new M('{b}'), '{c}'])",
            &["p.human langchain-js {c}", "p.user langchain-js {a}"],
            1,
        ),
    ] {
        let (mut found, computed) = read(language, code);
        found.sort();
        assert_eq!(
            (found, computed),
            (expected.iter().map(|it| it.to_string()).collect(), unread),
            "{code}"
        );
    }
}

#[test]
fn templates_of_other_formats_are_not_read() {
    const P: &str = "p langchain-python {a}";
    for (code, expected, unread) in [
        ("p = P.from_template('{a}', template_format='f-string')", &[P][..], 0),
        ("F = 'f-string'\np = P(template='{a}', template_format=F)", &[P], 0),
        ("p = P(template='{a}', template_format='jinja2')", &[], 1),
        ("p = P(template='{a}', template_format=kind)", &[], 1),
        ("p = C([('system', '{a}'), ('ai', '{b}')], template_format='mustache')", &[], 1),
    ] {
        let (found, computed) = read(Language::Python, code);
        assert_eq!(
            (found, computed),
            (expected.iter().map(|it| it.to_string()).collect(), unread),
            "{code}"
        );
    }
}

#[test]
fn a_mark_keeps_the_engine_of_its_dialect() {
    for (mark, expected) in [("format", "p langchain-python {a}"), ("adk", "p - {a}")] {
        let (found, _) =
            read(Language::Python, &format!("# promptls: {mark}\np = P(template='{{a}}')"));
        assert_eq!(found, [expected], "{mark}");
    }
    let (found, _) = read(Language::Python, "t = Task(description='{a}', expected_output=str(x))");
    assert_eq!(found, ["t crewai {a}"]);
}

/// The chats of some code as `name: role content, …`.
fn chats(language: Language, code: &str) -> Vec<String> {
    let head = if language == Language::Python { PYTHON } else { SCRIPT };
    let finds = find_with(language, &format!("{head}{code}\n"), &[], &[]);
    let one = |chat: &promptls_hosts::Chat| {
        let messages = chat.messages.iter().map(|message| {
            let content = match &message.content {
                ChatContent::Prompt(index) => finds.prompts[*index].text.text().to_owned(),
                ChatContent::Supplied { name, is_required: true, .. } => format!("<{name}>"),
                ChatContent::Supplied { name, is_required: false, .. } => format!("<{name}?>"),
                ChatContent::Fixed(text) => format!("'{text}'"),
                ChatContent::Unknown => "-".to_owned(),
            };
            format!("{} {content}", message.role.as_deref().unwrap_or("-"))
        });
        format!("{}: {}", chat.name, messages.collect::<Vec<_>>().join(", "))
    };
    finds.chats.iter().map(one).collect()
}

#[test]
fn messages_of_lists_are_a_chat() {
    use Language::{Python, TypeScript};
    for (language, code, expected) in [
        (Python, "p = C([('system', '{a}'), ('human', '{b}')])", &["p: system {a}, human {b}"][..]),
        (
            Python,
            "p = C.from_messages(['{a}', MessagesPlaceholder('h'), ('placeholder', '{g}')])",
            &["p: human {a}, - <h>, - <g?>"],
        ),
        (
            Python,
            "p = C(['{a}', MessagesPlaceholder(variable_name='h', optional=True)])",
            &["p: human {a}, - <h?>"],
        ),
        (
            Python,
            "p = C([SystemMessage(content='{a}'), AIMessage('b'), ('human', '{b}')])",
            &["p: system '{a}', ai 'b', human {b}"],
        ),
        (
            Python,
            "from langchain_core.prompts import SystemMessagePromptTemplate\n\
             s = SystemMessagePromptTemplate.from_template('{a}')\n\
             p = C([s, SystemMessagePromptTemplate.from_template('{b}'), *more])",
            &["p: system {a}, system {b}, - -"],
        ),
        (Python, "A = '{a}'\np = C([('system', A), ('human', f())])", &["p: system {a}, human -"]),
        (
            Python,
            "A = '{a}'\np = C([('system', A)])\nq = C([('human', A)])",
            &["p: system {a}", "q: human {a}"],
        ),
        (
            Python,
            "def f():\n  p = C(['{a}'])\ndef g():\n  p = C(['{b}'])",
            &["p: human {a}", "p-2: human {b}"],
        ),
        (Python, "p = C([C([('ai', '{a}')]), '{b}'])", &["p: ai {a}, human {b}", "p-2: ai {a}"]),
        (Python, "p = P.from_template('{a}')", &[]),
        (Python, "p = C([history])", &[]),
        (
            Python,
            "p = L(message_templates=[ChatMessage(role=MessageRole.SYSTEM, content='{a}'), \
             ChatMessage('{b}', role='user'), ChatMessage(content=c, role=r)])",
            &["p: system {a}, user {b}, - -"],
        ),
        (
            TypeScript,
            "const p = C.fromMessages([['system', '{a}'], new MessagesPlaceholder('h'), \
             new MessagesPlaceholder({ variableName: 'g', optional: true })])",
            &["p: system {a}, - <h>, - <g?>"],
        ),
    ] {
        assert_eq!(chats(language, code), expected, "{code}");
    }
}

#[test]
fn messages_share_inputs_unless_several_chats_have_one() {
    let code = "A = '{a}'\np = C([('system', A), '{b}'])\nq = C([('human', A), ('ai', '{c}')])";
    let finds = find_with(Language::Python, &format!("{PYTHON}{code}\n"), &[], &[]);
    let names = finds.prompts.iter().map(|it| format!("{}={}", it.name, it.inputs_name()));
    assert_eq!(names.collect::<Vec<_>>(), ["A=A", "p.human=p", "q.ai=q"]);
    let twice = format!("{PYTHON}A = '{{a}}'\np = C([('system', A), ('human', A)])\n");
    let finds = find_with(Language::Python, &twice, &[], &[]);
    assert_eq!(finds.prompts[0].inputs_name(), "p");
}
