//! Classes of LangChain, LlamaIndex and CrewAI under other names: imported from another module of
//! the application, derived from, or created by its functions.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};

/// Compares the prompts of all files, and what is listed as not read.
#[track_caller]
fn listed(files: &[(&str, &str)], expected: Expect) {
    let workspace = Workspace::new(files);
    let listed = promptls(&["check", "--list"]).cwd(workspace.root()).run();
    let name = |line: &str| Some(line.split_once("  ")?.0.to_owned() + "\n");
    let found: String = listed.stdout.lines().filter_map(name).collect();
    let unread = listed.stderr.lines().skip_while(|line| !line.ends_with("not read:")).skip(1);
    let unread: String = unread.map(|line| line.trim_start().to_owned() + "\n").collect();
    expected.assert_eq(&format!("{found}{unread}"));
}

#[test]
fn classes_of_other_modules_are_found() {
    let module = "from langchain_core.prompts import PromptTemplate, ChatPromptTemplate as Chat\n\
        from llama_index.core import PromptTemplate as Llama\n\
        from crewai import Agent, Task\n\
        Alias = PromptTemplate\n\
        class Derived(PromptTemplate): pass\n\
        class Answer(Llama): pass\n\
        class Base(Agent):\n    goal: str = 'Find {goal}'\n";
    let calls = "from lib import Agent, Alias, Answer, Base, Chat, Derived, PromptTemplate, Task\n\
        import lib.llm\n\
        a = PromptTemplate.from_template('{x}')\n\
        b = Chat.from_messages([('system', '{x}')])\n\
        c = Alias.from_template('{x}')\n\
        d = Derived.from_template('{x}')\n\
        e = Derived(template='{x}')\n\
        f = Answer('{x}')\n\
        g = Base(role='{x}')\n\
        h = Agent(role='{x}', goal='{x}', backstory='{x}')\n\
        i = Task(description='{x}', expected_output='{x}')\n\
        j = lib.llm.Derived.from_template('{x}')\n\
        class Deeper(Derived): pass\n\
        k = Deeper.from_template('{x}')\n";
    listed(
        &[
            ("lib/__init__.py", "from .llm import *\n"),
            ("lib/llm.py", module),
            ("use.py", calls),
            (
                "only.py",
                "from lib import Alias, Answer\na = Answer('{x}')\nb = Alias(template='{x}')\n",
            ),
        ],
        expect![[r#"
            lib/llm.py#Base.goal
            only.py#a
            only.py#b
            use.py#a
            use.py#b.system
            use.py#c
            use.py#d
            use.py#e
            use.py#f
            use.py#g.role
            use.py#h.role
            use.py#h.goal
            use.py#h.backstory
            use.py#i
            use.py#i.expected_output
            use.py#j
            use.py#k
        "#]],
    );
}

#[test]
fn classes_of_the_same_module_are_found() {
    let code = "from langchain_core.prompts import PromptTemplate\n\
        import langchain_core.prompts as prompts\n\
        Alias = PromptTemplate\n\
        make = PromptTemplate.from_template\n\
        class Derived(Alias):\n    template: str = 'In {place}'\n\
        class Chat(prompts.ChatPromptTemplate): pass\n\
        class Own(Derived):\n    \
        @classmethod\n    \
        def from_template(cls, text): return text.upper()\n\
        class Cycle(Cycle): pass\n\
        class Init(Derived):\n    \
        def __init__(self): super().__init__(template='{x}')\n\
        def local():\n    \
        Local = PromptTemplate\n    \
        Local(template='{x}')\n\
        a = Alias.from_template('{x}')\n\
        b = make('{x}')\n\
        c = Derived.from_template('{x}')\n\
        d = Chat.from_messages([('system', '{x}')])\n\
        e = Own.from_template('{not_this}')\n\
        f = Own(template='{x}')\n\
        g = Cycle.from_template('{not_this}')\n";
    listed(
        &[("a.py", code)],
        expect![[r#"
            a.py#Derived
            a.py#Init
            a.py#local
            a.py#a
            a.py#b
            a.py#c
            a.py#d.system
            a.py#f
        "#]],
    );
}

/// The arguments of such a class are those of its constructor.
#[test]
fn constructors_may_change_what_they_get() {
    let module = "from llama_index.core import PromptTemplate\n\
        from crewai import Agent\n\
        class Named(PromptTemplate):\n    \
        def __init__(self, name, template): super().__init__(template)\n\
        class Expert(Agent):\n    \
        def __init__(self, role, **more): super().__init__(role='An expert in ' + role, **more)\n\
        class Same(Agent):\n    \
        def __init__(self, role, **more): super().__init__(role=role, **more)\n\
        class Under(Same): pass\n";
    let calls = "from lib import Expert, Named, Same, Under\n\
        a = Named('{not_this}', '{x}')\n\
        b = Expert(role='{x}')\n\
        c = Same(role='{x}', goal='{x}')\n\
        d = Under(role='{x}')\n";
    listed(
        &[("lib.py", module), ("use.py", calls)],
        expect![[r#"
            lib.py#Expert.role
            use.py#a
            use.py#b.role
            use.py#c.role
            use.py#c.goal
            use.py#d.role
        "#]],
    );
}

#[test]
fn classes_of_other_scripts_are_found() {
    let mine = "import { PromptTemplate } from '@langchain/core/prompts';\n\
        export const Alias = PromptTemplate;\n\
        export class Derived extends PromptTemplate<Values> {}\n";
    let default = "import { PromptTemplate } from '@langchain/core/prompts';\n\
        export default class Foo extends PromptTemplate {\n  \
        constructor() { super({ template: 'Super {x}' }); }\n}\n";
    let index = "export { PromptTemplate, ChatPromptTemplate as Chat } from '@langchain/core/prompts';\n\
        export * from './mine';\n\
        export { default as Default } from './default';\n";
    let calls = "import { Alias, Chat, Default, Derived, PromptTemplate } from './lib';\n\
        import Foo from './lib/default';\n\
        import * as lib from './lib';\n\
        const a = PromptTemplate.fromTemplate('{x}');\n\
        const b = Chat.fromMessages([['system', '{x}']]);\n\
        const c = Alias.fromTemplate('{x}');\n\
        const d = new Derived({ template: '{x}' });\n\
        const e = Default.fromTemplate('{x}');\n\
        const f = Foo.fromTemplate('{x}');\n\
        const g = lib.Chat.fromTemplate('{x}');\n\
        const h = new lib.PromptTemplate({ template: '{x}' });\n\
        class Deeper extends Derived {}\n\
        const i = Deeper.fromTemplate('{x}');\n\
        class Own extends Derived { static fromTemplate(text) { return 1; } }\n\
        const j = Own.fromTemplate('{not_this}');\n";
    listed(
        &[
            ("lib/mine.ts", mine),
            ("lib/default.ts", default),
            ("lib/index.ts", index),
            ("use.ts", calls),
        ],
        expect![[r#"
            lib/default.ts#Foo
            use.ts#a
            use.ts#b.system
            use.ts#c
            use.ts#d
            use.ts#e
            use.ts#f
            use.ts#g
            use.ts#h
            use.ts#i
        "#]],
    );
}

#[test]
fn messages_and_templates_are_arguments_of_functions_of_other_modules() {
    let module = "from langchain_core.prompts import ChatPromptTemplate, PromptTemplate\n\
        def chat(messages): return ChatPromptTemplate.from_messages(messages)\n\
        def single(template, **more): return PromptTemplate(template=template, **more)\n\
        def system(text): return ChatPromptTemplate([('system', text), ('human', '{x}')])\n\
        def role(text): return ChatPromptTemplate([{'role': 'system', 'content': text}])\n\
        def changed(text): return PromptTemplate.from_template(load(text))\n\
        class Maker:\n    \
        def make(self, messages): return ChatPromptTemplate.from_messages(messages)\n";
    let calls = "from llm import Maker, changed, chat, role, single, system\n\
        LIST = [('system', '{x}')]\n\
        a = chat([('system', '{x}'), ('human', '{x}')])\n\
        b = chat(LIST)\n\
        c = single('{x}')\n\
        d = single(template='{x}')\n\
        e = system('{x}')\n\
        f = role(text='{x}')\n\
        g = changed('{not_this}')\n\
        h = Maker().make([('system', '{not_this}')])\n";
    listed(
        &[("llm.py", module), ("use.py", calls)],
        expect![[r#"
            llm.py#system.human
            use.py#b.system
            use.py#a.system
            use.py#a.human
            use.py#c
            use.py#d
            use.py#e
            use.py#f
            llm.py:6:56: the text of `template` comes from `load(…)`, so it is not checked
            llm.py:8:71: the text of `messages` comes from `messages`, so it is not checked
        "#]],
    );
    let module = "import { ChatPromptTemplate, PromptTemplate } from '@langchain/core/prompts';\n\
        export const chat = (messages) => ChatPromptTemplate.fromMessages(messages);\n\
        export function single(template: string) { return new PromptTemplate({ template }); }\n\
        export const system = (text: string) => ChatPromptTemplate.fromMessages([['system', text]]);\n";
    let calls = "import { chat, single, system } from './llm';\n\
        const a = chat([['system', '{x}'], ['human', '{x}']]);\n\
        const b = single('{x}');\n\
        const c = system('{x}');\n";
    listed(
        &[("llm.ts", module), ("use.ts", calls)],
        expect![[r#"
        use.ts#a.system
        use.ts#a.human
        use.ts#b
        use.ts#c
    "#]],
    );
}

/// Examples are put into the text between prefix and suffix, and then all is filled.
#[test]
fn the_texts_around_examples_are_prompts() {
    let code = "from langchain_core.prompts import *\n\
        one = PromptTemplate.from_template('{q} {a}')\n\
        few = FewShotPromptTemplate(examples=[{'q': '1', 'a': '2'}], example_prompt=one,\n    \
        prefix='Be {tone}', suffix='To {name}', input_variables=['tone', 'name'])\n\
        few.format(name=1, spare=2)\n\
        LISTED = [{'q': '{x}', 'a': '2'}]\n\
        b = FewShotPromptTemplate(examples=LISTED, example_prompt=one, suffix='{s}')\n\
        c = FewShotPromptTemplate(example_selector=select, example_prompt=one, suffix='{s}')\n\
        d = FewShotPromptTemplate(examples=[], example_prompt=one, suffix='{s}',\n    \
        template_format='jinja2')\n";
    let script = "import { FewShotPromptTemplate } from '@langchain/core/prompts';\n\
        const few = new FewShotPromptTemplate({ examples: [], examplePrompt: one,\n  \
        prefix: 'Be {tone}', suffix: 'To {name}', inputVariables: ['tone', 'name'] });\n\
        await few.format({ name: 1, spare: 2 });\n";
    let workspace = Workspace::new(&[("a.py", code), ("b.ts", script)]);
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        a.py:4:17: warning [undefined-placeholder] the call that passes values to this prompt has no `tone`
        a.py:7:36: hint [computed-prompt] the text of `examples` comes from `LISTED`, so it is not checked
        a.py:8:44: hint [computed-prompt] the text of `example_selector` comes from `select`, so it is not checked
        a.py:9:67: hint [computed-prompt] with `template_format`, this text is of another syntax, which is not checked
        b.ts:3:16: warning [undefined-placeholder] the call that passes values to this prompt has no `tone`
    "#]].assert_eq(&output.stdout);
    listed(
        &[("a.py", code), ("b.ts", script)],
        expect![[r#"
            a.py#one
            a.py#few.prefix
            a.py#few.suffix
            a.py#b.suffix
            a.py#c.suffix
            b.ts#few.prefix
            b.ts#few.suffix
            a.py:7:36: the text of `examples` comes from `LISTED`, so it is not checked
            a.py:8:44: the text of `example_selector` comes from `select`, so it is not checked
            a.py:9:67: with `template_format`, this text is of another syntax, which is not checked
        "#]],
    );
}

/// The messages of examples have the values of these, and not those of the chat.
#[test]
fn examples_are_no_messages_of_a_chat() {
    let code = "from langchain_core.prompts import *\n\
        few = FewShotChatMessagePromptTemplate(examples=[{'q': '1'}],\n    \
        example_prompt=ChatPromptTemplate.from_messages([('human', '{q}')]))\n\
        chat = ChatPromptTemplate.from_messages([('system', 'Be {tone}'), few])\n\
        chat.invoke({'tone': 1})\n";
    let workspace = Workspace::new(&[("a.py", code)]);
    let resolve = ["resolve", "a.py#chat", "--set", "tone=x", "--format", "messages"];
    let output = promptls(&resolve).cwd(workspace.root()).run();
    expect![[r#"
        [{"role":"system","content":"Be x"}]
        the program makes `few`, which is not followed; --format messages omits it
    "#]]
    .assert_eq(&format!("{}{}", output.stdout, output.stderr));
    let output = promptls(&["check", "--format", "concise"]).cwd(workspace.root()).run();
    expect![[r#"
        a.py:4:67: hint [computed-prompt] this text comes from `few`, so it is not checked
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn prompts_of_frameworks_without_an_engine_are_listed() {
    let code = "import { PromptTemplate } from 'llamaindex';\n\
        import { PromptTemplate as Core } from '@llamaindex/core/prompts';\n\
        const a = new PromptTemplate({ template: 'Hi {x}', templateVars: ['x'] });\n\
        const b = new Core({ template: text });\n";
    listed(
        &[("a.ts", code)],
        expect![[r#"
              a.ts:3:42: this text is a prompt of LlamaIndex for TypeScript, which is not supported
              a.ts:4:32: this text is a prompt of LlamaIndex for TypeScript, which is not supported
        "#]],
    );
}
