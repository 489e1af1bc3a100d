//! Templates of LangChain: their calls, their own values, and their messages from other files.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

const IMPORT: &str = "from langchain_core.prompts import ChatPromptTemplate as C, MessagesPlaceholder, PromptTemplate as P\n";

/// Runs commands in a folder with some code, and with the version of the library.
#[track_caller]
fn run(code: &str, files: &[(&str, &str)], commands: &[&[&str]], expected: Expect) {
    let code = format!("{IMPORT}{code}");
    let mut all = vec![("a.py", &*code), ("requirements.txt", "langchain-core==1.8.3\n")];
    all.extend_from_slice(files);
    let workspace = Workspace::new(&all);
    let mut found = String::new();
    for command in commands {
        let output = promptls(command).cwd(workspace.root()).run();
        // Only the first line of an error is about the names.
        let error = output.stderr.lines().next().unwrap_or_default();
        found.push_str(&format!("{}{error}\n", output.stdout));
    }
    expected.assert_eq(&found);
}

const CHECK: &[&str] = &["check", "--format", "concise"];

#[test]
fn messages_of_other_files_are_messages_of_a_chat() {
    let code = "from texts import HUMAN, SYSTEM\n\
        one = C.from_messages([('system', SYSTEM), ('human', '{question}')])\n\
        all = C.from_messages([('system', SYSTEM), ('human', HUMAN)])\n";
    let files = [
        ("texts.py", "SYSTEM = 'Be {role}.'\nHUMAN = 'Why {what}?'\n"),
        ("a.one.inputs.json", r#"{"role": "a cook", "question": "Why?"}"#),
        ("a.all.inputs.json", r#"{"role": "a cook", "what": "salt"}"#),
        ("rows.jsonl", "{\"role\": \"a cook\", \"question\": 1}\n"),
    ];
    run(
        code,
        &files,
        &[
            CHECK,
            &["resolve", "a.py#one", "--format", "messages"],
            &["resolve", "a.py#all", "--format", "messages"],
            &["resolve", "a.py#one", "--rows", "rows.jsonl", "--format", "messages"],
        ],
        expect![[r#"
            6 prompts checked: no problems
            [{"role":"system","content":"Be a cook."},{"role":"user","content":"Why?"}]

            [{"role":"system","content":"Be a cook."},{"role":"user","content":"Why salt?"}]

            {"row":0,"messages":[{"role":"system","content":"Be a cook."},{"role":"user","content":"1"}]}

        "#]],
    );
}

#[test]
fn a_case_has_the_names_that_a_call_passes() {
    let code = "t = P.from_template('{name} {x}')\n\
        t.format(name=1, x=1)\n\
        c = C.from_messages([('system', '{a} {b}'), ('human', '{d}')])\n\
        c.invoke({'a': 1, 'b': 2, 'd': 3})\n";
    let files = [("a.t.inputs.json", r#"{"x": 1}"#), ("a.c.inputs.json", r#"{"a": 1}"#)];
    run(
        code,
        &files,
        &[CHECK, &["resolve", "a.py#t"], &["resolve", "a.py#c"]],
        expect![[r#"
            a.py:2:23: error [undefined-placeholder] `name` has no value
            a.py:4:39: error [undefined-placeholder] `b` has no value
            a.py:4:57: error [undefined-placeholder] `d` has no value
            3 prompts checked: 3 errors
            Input to PromptTemplate is missing variables {'name'}.  Expected: ['name', 'x'] Received: ['x']
            Input to ChatPromptTemplate is missing variables {'b', 'd'}.  Expected: ['a', 'b', 'd'] Received: ['a']
        "#]],
    );
    run(
        code,
        &[],
        &[CHECK],
        expect![[r#"
        3 prompts checked: no problems
    "#]],
    );
}

#[test]
fn each_call_has_all_names() {
    let code = "two = P.from_template('{who} {b}')\n\
        two.format(who=1)\n\
        two.format(b=1)\n\
        # promptls: format\n\
        text = 'Hi {name}'.format(nam=1)\n\
        # promptls: format\n\
        TEXT = 'Hi {name}'\n\
        TEXT.format(name=1)\n\
        TEXT.format(nam=1)\n\
        # promptls: format\n\
        (\"Hi {name} \"\n \"{x}\").format(x=1, **values)\n\
        c = C.from_messages([MessagesPlaceholder('history'), ('human', '{d}')])\n\
        c.invoke({'d': 1})\n\
        c.invoke({'d': 1, 'history': []})\n";
    run(
        code,
        &[],
        &[CHECK],
        expect![[r#"
            a.py:2:25: warning [undefined-placeholder] a call that passes values to this prompt has no `who`
            a.py:2:31: warning [undefined-placeholder] a call that passes values to this prompt has no `b`
            a.py:6:13: warning [undefined-placeholder] the call that passes values to this prompt has no `name`; did you mean `nam`?
            a.py:8:13: warning [undefined-placeholder] a call that passes values to this prompt has no `name`; did you mean `nam`?
            a.py:10:13: hint [unused-input] `nam` is never read by this prompt
            a.py:14:22: warning [undefined-placeholder] a call that passes values to this chat has no `history`
            5 prompts checked: 5 warnings, 1 hint
        "#]],
    );
}

#[test]
fn a_field_without_a_name_is_one_error() {
    let code = "p = P.from_template('Hi {}')\nq = P.from_template('Hi {} {a}')\n";
    let files = [("a.q.inputs.json", r#"{"a": 1}"#)];
    run(
        code,
        &files,
        &[CHECK, &["resolve", "a.py#p"], &["resolve", "a.py#q"]],
        expect![[r#"
            a.py:2:25: error [malformed-placeholder] the engine raises an error: Input to PromptTemplate is missing variables {''}
            a.py:3:25: error [malformed-placeholder] the engine raises an error: Input to PromptTemplate is missing variables {''}
            2 prompts checked: 2 errors
            Input to PromptTemplate is missing variables {''}.  Expected: [''] Received: []
            Input to PromptTemplate is missing variables {''}.  Expected: ['', 'a'] Received: ['a']
        "#]],
    );
}

#[test]
fn literal_values_of_a_template_are_resolved() {
    let code = "p = P(template='{day} {x}', partial_variables={'day': 'Monday'})\n\
        q = P.from_template('{day} {x}').partial(day='Monday')\n\
        r = P.from_template('{day} {x}').partial(day=today())\n\
        s = P.from_template('{day} {x}')\n\
        s.partial(day='Monday').format(x=1)\n\
        s.format(day='Tuesday', x=1)\n\
        c = C.from_messages([('system', '{day}'), ('human', '{x}')]).partial(day='Monday')\n";
    let files = [
        ("a.p.inputs.json", r#"{"x": 1}"#),
        ("a.p.other.inputs.json", r#"{"x": 1, "day": "Friday"}"#),
        ("a.q.inputs.json", r#"{"x": 1}"#),
        ("a.r.inputs.json", r#"{"x": 1}"#),
        ("a.s.inputs.json", r#"{"x": 1}"#),
        ("a.c.inputs.json", r#"{"x": 1}"#),
        ("empty.json", "{}"),
    ];
    run(
        code,
        &files,
        &[
            CHECK,
            &["resolve", "a.py#p"],
            &["resolve", "a.py#p", "--case", "other"],
            &["resolve", "a.py#q"],
            &["resolve", "a.py#r"],
            &["resolve", "a.py#s"],
            &["resolve", "a.py#c"],
            &["resolve", "a.py#c", "--inputs", "empty.json"],
        ],
        expect![[r#"
            6 prompts checked: no problems
            Monday 1
            Friday 1
            Monday 1
            {day} 1
            {day} 1
            system:
            Monday

            human:
            1
            Input to ChatPromptTemplate is missing variables {'x'}.  Expected: ['x'] Received: []
        "#]],
    );
}

#[test]
fn values_that_are_no_messages_are_errors() {
    let code = "c = C.from_messages([MessagesPlaceholder('history'), ('human', '{x}')])\n\
        d = C.from_messages([('placeholder', '{old}'), ('human', '{x}')])\n";
    let files = [
        ("a.c.inputs.json", r#"{"x": 1, "history": "Hi"}"#),
        ("a.c.good.inputs.json", r#"{"x": 1, "history": [["human", "Hi"], "Ho"]}"#),
        ("a.d.inputs.json", r#"{"x": 1, "old": [["person", "Hi"]]}"#),
    ];
    run(
        code,
        &files,
        &[
            CHECK,
            &["resolve", "a.py#c"],
            &["resolve", "a.py#c", "--case", "good", "--format", "messages"],
            &["resolve", "a.py#d"],
        ],
        expect![[r#"
            a.c.inputs.json:1:21: error [type-mismatch] the engine raises an error: variable history should be a list of base messages, got Hi of type <class 'str'>
            a.d.inputs.json:1:17: error [type-mismatch] the engine raises an error: Unexpected message type: 'person'. Use one of 'human', 'user', 'ai', 'assistant', 'function', 'tool', 'system', or 'developer'.
            2 prompts checked: 2 errors
            variable history should be a list of base messages, got Hi of type <class 'str'>
            [{"role":"user","content":"Hi"},{"role":"user","content":"Ho"},{"role":"user","content":"1"}]

            Unexpected message type: 'person'. Use one of 'human', 'user', 'ai', 'assistant', 'function', 'tool', 'system', or 'developer'.
        "#]],
    );
}

#[test]
fn calls_in_files_without_a_word_of_the_library_are_compared() {
    let code = "PLAN = P.from_template('About {topic}')\nCHAIN = PLAN | model\n\
        class Prompts:\n    ASK = P.from_template('Ask {who}')\n\
        def make():\n    return P.from_template('Say {word}')\n";
    let files = [
        (
            "app.py",
            "from a import CHAIN, Prompts, make\nCHAIN.invoke({'topc': 1})\nPrompts.ASK.format(whom=1)\n",
        ),
        ("kit/__init__.py", "from a import make as create\n"),
        ("more.py", "from kit import create\ncreate().format(wrd=1)\n"),
        // Other templates with these names.
        (
            "own.py",
            "PLAN = 'x'\nPLAN.format(other=1)\ndef make(): return PLAN\nmake().format(other=1)\n",
        ),
    ];
    run(
        code,
        &files,
        &[CHECK],
        expect![[r#"
        a.py:2:32: warning [undefined-placeholder] the call that passes values to this prompt has no `topic`; did you mean `topc`?
        a.py:5:33: warning [undefined-placeholder] the call that passes values to this prompt has no `who`; did you mean `whom`?
        a.py:7:34: warning [undefined-placeholder] the call that passes values to this prompt has no `word`; did you mean `wrd`?
        3 prompts checked: 3 warnings
    "#]],
    );
}

#[test]
fn classes_of_messages_may_have_other_names() {
    let code = "from langchain_core.prompts import MessagesPlaceholder as M\n\
        from langchain_core.messages import SystemMessage as S\n\
        chat = C.from_messages([S('Be kind.'), M('history'), ('human', '{question}')])\n";
    let files = [("a.chat.inputs.json", r#"{"history": [["ai", "Yes?"]], "question": "Why?"}"#)];
    run(
        code,
        &files,
        &[CHECK, &["resolve", "a.py#chat", "--format", "messages"]],
        expect![[r#"
        1 prompt checked: no problems
        [{"role":"system","content":"Be kind."},{"role":"assistant","content":"Yes?"},{"role":"user","content":"Why?"}]

    "#]],
    );
}

#[test]
fn calls_of_other_files_have_the_messages_of_a_chat() {
    let code = "CHAT = C.from_messages([('system', 'Be {tone}.'), MessagesPlaceholder('history'), \
        ('human', '{question}')])\nOPEN = C.from_messages([('human', '{x}'), \
        MessagesPlaceholder('seen', optional=True)])\n";
    let files = [
        (
            "app.py",
            "from a import CHAT, OPEN\nCHAT.invoke({'tone': 'kind', 'question': q, 'histry': h})\n\
             OPEN.invoke({'x': 1})\n",
        ),
        ("more.py", "import a\na.CHAT.invoke({'tone': 'kind', 'question': q, 'history': h})\n"),
    ];
    run(
        code,
        &files,
        &[CHECK],
        expect![[r#"
            a.py:2:51: warning [undefined-placeholder] a call that passes values to this chat has no `history`; did you mean `histry`?
            3 prompts checked: 1 warning
        "#]],
    );
}

#[test]
fn calls_of_other_files_fill_a_default_export() {
    let workspace = Workspace::new(&[
        (
            "plans/index.ts",
            "import { PromptTemplate } from '@langchain/core/prompts';\n\
             export default PromptTemplate.fromTemplate('Tell {topic} in {style}');\n",
        ),
        ("use.ts", "import p from './plans';\nawait p.invoke({ topic: 'x' });\n"),
    ]);
    expect![[r#"
        plans/index.ts:2:62: warning [undefined-placeholder] the call that passes values to this prompt has no `style`
    "#]].assert_eq(&promptls(CHECK).cwd(workspace.root()).run().stdout);
}

#[test]
fn a_call_is_compared_with_the_text_that_it_may_mean() {
    let code = "TEXTS = {'rag': 'Use {context}', 'sum': 'Sum {text}'}\n\
        def get(name):\n    return P.from_template(TEXTS[name])\n\
        get('rag').format(context=1)\nget('sum').format(text=1)\n\
        def run(text, long=False):\n    \
        p = P.from_template('Long {text} {n}' if long else 'Short {txt}')\n    \
        if long:\n        return p.format(text=text, n=3)\n    return p.format(text=text)\n\
        class Base:\n    template = 'Base {x}'\n    \
        def __init__(self):\n        self.prompt = P.from_template(self.template)\n\
        class One(Base):\n    template = 'One {y} {'\n    \
        def run(self):\n        return self.prompt.format(y=1)\n";
    run(
        code,
        &[],
        &[CHECK],
        expect![[r#"
            a.py:8:64: warning [undefined-placeholder] a call that passes values to this prompt has no `txt`; did you mean `text`?
            a.py:17:25: error [malformed-placeholder] the engine raises an error: Single '{' encountered in format string
            8 prompts checked: 1 error, 1 warning
        "#]],
    );
}

#[test]
fn calls_that_are_expected_to_fail_are_not_compared() {
    let code = "p = P.from_template('{a} {b}')\n\
        def test():\n    with pytest.raises(KeyError):\n        p.format(a=1)\n    p.format(b=1)\n";
    run(
        code,
        &[],
        &[CHECK],
        expect![[r#"
        a.py:2:23: warning [undefined-placeholder] a call that passes values to this prompt has no `a`
        1 prompt checked: 1 warning
    "#]],
    );
}

#[test]
fn messages_that_are_added_or_no_texts_are_listed() {
    let code = "a = C.from_messages([('system', 'You are {who}')])\na.append(('human', '{q'))\n\
        more = [('system', 'You are {who}')]\nmore.append(('human', '{q}'))\n\
        b = C.from_messages(more)\nb.invoke({'who': 1, 'q': 2})\n\
        c = C.from_messages([('human', [{'type': 'text', 'text': 'See {it}'},\n    \
        {'type': 'image_url', 'image_url': {'url': '{image}'}}])])\n\
        c.invoke({'it': 1, 'image': 2})\n";
    run(
        code,
        &[],
        &[CHECK],
        expect![[r#"
            a.py:2:1: hint [computed-prompt] this list of messages gets others, which are not checked
            a.py:6:21: hint [computed-prompt] this list of messages gets others, which are not checked
            a.py:9:5: hint [computed-prompt] this part of the message is no text, so its placeholders are not checked
            3 prompts checked, 3 not read: 3 hints
        "#]],
    );
}

/// Texts by marks and rules are filled by methods of strings, here and in other files.
#[test]
fn calls_of_format_are_compared_with_texts_by_marks_and_rules() {
    let code = "# promptls: format\nASK = 'Ask {who}'\nASK.format(wh=1)\n\
        # promptls: format\nBY_PLACE = 'Ask {} and {1}'\nBY_PLACE.format(1, 2)\n\
        PLAN_PROMPT = 'Do {task} {'\nPLAN_PROMPT.format(tsk=1)\n\
        class Texts:\n    # promptls: format\n    MORE = 'More {of}'\n";
    let files = [
        (
            "promptls.toml",
            "[[prompts]]\nfiles = [\"a.py\"]\nstrings = [\"*_PROMPT\"]\ndialect = \"format\"\n",
        ),
        (
            "b.py",
            "import a\nfrom a import PLAN_PROMPT as P, Texts\nP.format(task=1)\na.ASK.format(whom=2)\nTexts.MORE.format(off=1)\n",
        ),
    ];
    run(
        code,
        &files,
        &[CHECK],
        expect![[r#"
        a.py:3:13: warning [undefined-placeholder] a call that passes values to this prompt has no `who`; did you mean `wh`?
        a.py:8:20: warning [undefined-placeholder] a call that passes values to this prompt has no `task`; did you mean `tsk`?
        a.py:8:26: error [malformed-placeholder] the engine raises an error: Single '{' encountered in format string
        a.py:9:20: hint [unused-input] `tsk` is never read by this prompt
        a.py:12:19: warning [undefined-placeholder] the call that passes values to this prompt has no `of`; did you mean `off`?
        4 prompts checked: 1 error, 3 warnings, 1 hint
    "#]],
    );
}

#[test]
fn templates_that_are_messages_get_the_values_of_the_chat() {
    let code = "from langchain_core.prompts import HumanMessagePromptTemplate as H\n\
        human = H.from_template('{qq} {day}', partial_variables={'day': 1})\n\
        chat = C.from_messages([('system', 'Be {tone}.'), human, H.from_template('{more}')])\n\
        chat.invoke({'tone': 1, 'q': 2})\n\
        from langchain_core.prompts import SystemMessagePromptTemplate as S\n\
        OTHER = C.from_messages([S.from_template('See {it}')])\n";
    let files = [("b.py", "from a import OTHER\nOTHER.invoke({'its': 1})\n")];
    run(
        code,
        &files,
        &[CHECK],
        expect![[r#"
            a.py:3:27: warning [undefined-placeholder] a call that passes values to this prompt has no `qq`; did you mean `q`?
            a.py:4:76: warning [undefined-placeholder] the call that passes values to this prompt has no `more`; did you mean `tone`?
            a.py:7:48: warning [undefined-placeholder] the call that passes values to this prompt has no `it`; did you mean `its`?
            4 prompts checked: 3 warnings
        "#]],
    );
}
