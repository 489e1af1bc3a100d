use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// The accesses of a source by their kinds, with `!` if they supply a value.
fn read(language: Language, source: &str) -> Vec<String> {
    let flow = flow(language, source);
    let mut said: Vec<String> = flow
        .accesses
        .iter()
        .map(|access| {
            let is_artifact = access.kind == AccessKind::Artifact;
            let prefix = if is_artifact { "artifact." } else { "" };
            assert_eq!(format!("{prefix}{}", &source[access.range.clone()]), access.name);
            assert!(flow.mentions(&access.name) || !access.supplies);
            let sign = if access.supplies { "!" } else { "" };
            format!("{:?} {}{sign}", access.kind, access.name)
        })
        .collect();
    let joined: Vec<Option<String>> = flow.joined.iter().map(|key| key.text(|_| None)).collect();
    said.extend(joined.iter().flatten().map(|key| format!("joined {key}")));
    if flow.computes_keys || !flow.elsewhere.is_empty() || joined.contains(&None) {
        said.push("computed".to_owned());
    }
    if flow.computes_artifacts {
        said.push("computed artifact".to_owned());
    }
    said
}

#[test]
fn an_output_key_that_is_computed_makes_no_name_certain() {
    use Language::*;
    for (language, source, expected) in [
        (Python, "A(output_key=f'{P}_a')", &["computed"] as &[&str]),
        (Python, "A(output_key='res' + '_b')", &["joined res_b"]),
        (Python, "A(output_key='res_{}'.format(n))", &["computed"]),
        (Python, "A(output_key='%s_a' % n)", &["computed"]),
        (Python, "A(output_key=key_for(n))", &["computed"]),
        (Python, "from lib import KEY\nA(output_key=KEY)", &["computed"]),
        (Python, "def f(key):\n  A(output_key=key)", &[]),
        (Python, "A(output_key=None)", &[]),
        (Java, "a.outputKey(Keys.PLAN)", &["computed"]),
        (Python, "s.create_session(state=await db.load_state())", &["computed"]),
        (Python, "s.create_session(state=dict(prefs))", &["computed"]),
        (Python, "s.create_session(state=session.state)", &[]),
        (Java, "b.stateDelta(map)", &["computed"]),
        (Go, "session.CreateRequest{State: prefs}", &["computed"]),
        (Python, "A(output_key='a' if x else 'b')", &["OutputKey a!", "OutputKey b!"]),
        (Python, "A(output_key='a' if m == 'x' else 'b')", &["OutputKey a!", "OutputKey b!"]),
        (Python, "P = 'a'\nA(output_key=P if x else 'b')", &["OutputKey a!", "OutputKey b!"]),
        (Python, "A(output_key=key or 'b')", &["OutputKey b!"]),
        (Python, "A(output_key=output_key)", &[]),
        (Python, "A(output_key=cfg.key, name='x')", &[]),
        (Python, "A(output_key='no key')", &[]),
        (Python, "def f(output_key: Optional[str] = None): pass", &[]),
        (Python, "def f(output_key: Annotated[str, Field()]): pass", &[]),
        (Python, "class A:\n    output_key: str = 'a'\n", &["OutputKey a!"]),
        (TypeScript, "f({outputKey: `${P}_a`})", &["computed"]),
        (TypeScript, "f({outputKey: x ? 'a' : 'b'})", &["OutputKey a!", "OutputKey b!"]),
        (TypeScript, "f({outputKey: m === 'x' ? 'a' : 'b'})", &["OutputKey a!", "OutputKey b!"]),
        (TypeScript, "f({outputKey: m == 'x' ? 'a' : 'b'})", &["OutputKey a!", "OutputKey b!"]),
        (TypeScript, "f({outputKey: key ?? 'b'})", &["OutputKey b!"]),
        (TypeScript, "function f(outputKey: string = 'a') {}", &["OutputKey a!"]),
        (
            Java,
            "b.outputKey(m.isEmpty() ? \"a\" : \"b\");",
            &["OutputKey a!", "OutputKey b!", "computed"],
        ),
        (Java, "b.outputKey(P + \"_a\");", &["computed"]),
        (Java, "b.outputKey(keyOf(n))", &["computed"]),
        (Kotlin, "LlmAgent(outputKey = \"${n}_a\")", &["computed"]),
        (Kotlin, "class A(val outputKey: String)", &[]),
        (Go, "C{OutputKey: n + \"_res\"}", &["computed"]),
        (Go, "C{OutputKey: fmt.Sprintf(\"%s_a\", n)}", &["computed"]),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
    }
}

#[test]
fn literals_that_code_assigns_are_values_of_names() {
    use Language::*;
    let text = |text: &str| Some(LiteralValue::Text(text.into()));
    let number = |number: &str| Some(LiteralValue::Number(number.into()));
    for (language, source, expected) in [
        (Python, "state['a'] = 'Rome'", text("Rome")),
        (Python, "state['a'] = 'R\\'s'  # why\nx = 1", text("R's")),
        (Python, "KEY = 'a'\nstate[KEY] = \"Rome\"", text("Rome")),
        (Python, "run(state={'a': 'Rome', 'b': x})", text("Rome")),
        (Python, "EventActions(state_delta=dict(a='Rome'))", text("Rome")),
        (Python, "state.setdefault('a', 12)", number("12")),
        (Python, "state['a'] = -1.50\n", number("-1.50")),
        (Python, "state['a'] = True", Some(LiteralValue::Bool(true))),
        (Python, "state['a'] = 007", None),
        (Python, "state['a'] = 1_000", None),
        (Python, "state['a'] = None", None),
        (Python, "state['a'] = 'R' + x", None),
        (Python, "state['a'] = 'R'.lower()", None),
        (Python, "state['a'] = f'{x}'", None),
        (Python, "state['a'] += 1", None),
        (Python, "x = state.get('a', 'Rome')", None),
        (TypeScript, "run({state: {a: 'Rome'}})", text("Rome")),
        (TypeScript, "ctx.state.set('a', false);", Some(LiteralValue::Bool(false))),
        (Java, "ctx.state().put(\"a\", \"Rome\");", text("Rome")),
        (Java, "e.stateDelta(Map.of(\"b\", x, \"a\", 2));", number("2")),
        (Java, "e.stateDelta(Map.ofEntries(entry(\"a\", \"Rome\")));", text("Rome")),
        (Kotlin, "state = mapOf(\"a\" to \"Rome\")", text("Rome")),
        (Go, "ctx.State().Set(\"a\", \"Rome\")", text("Rome")),
        (Go, "State: map[string]any{\"a\": 2.5},", number("2.5")),
    ] {
        let flow = flow(language, source);
        let access = flow.accesses.iter().find(|access| access.name == "a").expect("it is found");
        assert_eq!(access.value, expected, "{source}");
    }
}

#[test]
fn saved_artifacts_are_found_in_all_languages() {
    use Language::*;
    const SAVED: &[&str] = &["Artifact artifact.a.txt!"];
    for (language, source, expected) in [
        (Python, "await context.save_artifact('a.txt', part)", SAVED),
        (Python, "save_artifact(filename='a.txt', artifact=part)", SAVED),
        (Python, "s.save_artifact(app_name=a, user_id=u, session_id=i, filename='a.txt')", SAVED),
        (Python, "NAME = 'a.txt'\nc.save_artifact(NAME, part)", SAVED),
        (Python, "c.save_artifact('user:a.txt', part)", &["Artifact artifact.user:a.txt!"]),
        (Python, "c.save_artifact(f'a_{i}.txt', part)", &["computed artifact"]),
        (Python, "c.save_artifact(name + '.txt', part)", &["computed artifact"]),
        (Python, "c.save_artifact(filename=make('a.txt'), artifact=x)", &["computed artifact"]),
        (Python, "x = await c.load_artifact('a.txt')", &["Artifact artifact.a.txt"]),
        (Python, "x = await c.load_artifact(name)", &[]),
        (Python, "print('save_artifact')", &[]),
        (TypeScript, "await ctx.saveArtifact('a.txt', part)", SAVED),
        (
            TypeScript,
            "s.saveArtifact({appName, userId, sessionId, filename: 'a.txt', artifact})",
            SAVED,
        ),
        (TypeScript, "s.saveArtifact({appName, filename, artifact})", &["computed artifact"]),
        (Java, "context.saveArtifact(\"a.txt\", part);", SAVED),
        (Java, "service.saveArtifact(app, user, session, \"a.txt\", part);", SAVED),
        (Java, "service.loadArtifact(a, u, s, \"a.txt\", v);", &["Artifact artifact.a.txt"]),
        (Kotlin, "context.saveArtifact(filename = \"a.txt\", artifact = part)", SAVED),
        (Go, "ctx.Artifacts().Save(ctx, \"a.txt\", part)", SAVED),
        (Go, "ctx.Artifacts().Load(ctx, \"a.txt\")", &["Artifact artifact.a.txt"]),
        (Go, "ctx.Artifacts().Save(ctx, name, part)", &["computed artifact"]),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
    }
}

#[test]
fn code_in_literals_refers_to_the_state() {
    use Language::*;
    for (language, source, expected) in [
        (
            Python,
            "print(f\"a {ctx.state['plan']:>5} {ctx.state['b']!s}\")",
            &["State plan", "State b"][..],
        ),
        (Python, "print(f\"{ctx.state.setdefault('plan', 1)}\")", &["State plan!"]),
        (Python, "print(\"{ctx.state['plan']}\")", &[]),
        (TypeScript, "log(`a ${ctx.state.get('plan')}`)", &["State plan"]),
        (Kotlin, "log(\"a ${ctx.state()[\"plan\"]}\")", &["State plan"]),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
    }
}

#[test]
fn constants_are_keys_of_the_state() {
    use Language::*;
    for (language, source, expected) in [
        (Python, "KEY: str = 'plan'\nAgent(output_key=KEY)", &["OutputKey plan!"][..]),
        (Python, "f(KEY='plan')\nAgent(output_key=KEY)", &["computed"]),
        (Python, "class K:\n  A = 'plan'\nstate[K.A.value]", &["State plan"]),
        (TypeScript, "const K = {a: 'plan'};\nnew Agent({outputKey: K.a})", &["OutputKey plan!"]),
        (Go, "const (\n\ta = \"plan\"\n)\nvar x = y.StateDelta[a] = b", &["State plan!"]),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
    }
}

#[test]
fn members_of_the_state_of_a_session_or_context_are_its_keys() {
    for (source, expected) in [
        ("x = ctx.session.state.plan;", &["State plan"][..]),
        ("toolContext.state?.plan ??= 1; f(context.state!.b.c)", &["State plan!", "State b"]),
        (
            "const { plan, b: c = 1, 'd': e, ...f } = ctx.state;",
            &["State plan", "State b", "State d"],
        ),
        ("const { plan } = (await get(session)).state;", &[]),
        ("const { plan } = this.state; x = state.plan; f(session.state.plan())", &[]),
        ("const { plan } = session.other; x = session.statement.plan", &[]),
    ] {
        assert_eq!(read(Language::TypeScript, source), expected, "{source}");
    }
    assert!(read(Language::Python, "x = ctx.session.state.plan").is_empty());
}

#[test]
fn accesses_to_the_state_are_found_in_all_languages() {
    use Language::*;
    for (language, source, expected) in [
        (Python, "a = Agent(name='x', output_key='plan')", &["OutputKey plan!"][..]),
        (Python, "self.output_key = \"plan\"", &["OutputKey plan!"]),
        (Python, "KEY = 'plan'\nAgent(output_key=KEY)", &["OutputKey plan!"]),
        (Python, "KEY = 'plan'\nKEY = 'other'\nAgent(output_key=KEY)", &["computed"]),
        (Python, "Agent(output_key=make())", &["computed"]),
        (Python, "if agent.output_key == 'plan': pass", &[]),
        (Python, "ctx.session.state['a'] = 1", &["State a!"]),
        (Python, "tool_context.state[\"user:a\"] += 1", &["State user:a!"]),
        (Python, "x = state['a'] == state['b']", &["State a", "State b"]),
        (Python, "state[key] = 1", &["computed"]),
        (Python, "x = state[key]", &[]),
        (Python, "state.setdefault('a', 1); state.get('b')", &["State a!", "State b"]),
        (Python, "state.update({'a': 1, 'b': {'c': 2}})", &["StateKey a!", "StateKey b!"]),
        (Python, "state |= {'a': 1}", &["StateKey a!"]),
        (Python, "state.update(values)", &["computed"]),
        (Python, "context.state.update(state)", &["computed"]),
        (Python, "run(state=values)", &["computed"]),
        (Python, "run(state=load())", &["computed"]),
        (Python, "run(state=None); state = context.state", &[]),
        (TypeScript, "run({state: values})", &["computed"]),
        (Python, "run(state={'a': 1, **more})", &["StateKey a!", "computed"]),
        (Python, "initial_state: dict[str, Any] = {\n 'a': 1,\n}", &["StateKey a!"]),
        (Python, "EventActions(state_delta=dict(a=1))", &["StateKey a!"]),
        (Python, "ctx.state.update(a=f(), b={'c': 1})", &["StateKey a!", "StateKey b!"]),
        (Python, "ctx.state.update({'a': 1}, b=2)", &["StateKey a!", "StateKey b!"]),
        (Python, "ctx.state.update(to=1, a=to)", &["StateKey to!", "StateKey a!"]),
        (TypeScript, "const state = [{ id: 1 }]", &[]),
        (Python, "ctx.state.update(**values)", &["computed"]),
        (Python, "def f(state: State):\n  x = {'a': 1}", &[]),
        (Python, "if not state:\n  f({'a': 1})", &[]),
        (Python, "print(f'{x}', 'state')", &[]),
        (Java, "LlmAgent.builder().outputKey(\"plan\").build();", &["OutputKey plan!"]),
        (Java, "static final String K = \"plan\"; b.outputKey(Keys.K);", &["OutputKey plan!"]),
        (Java, "ctx.state().put(\"a\", 1); ctx.state().get(\"b\");", &["State a!", "State b"]),
        (
            Java,
            "ConcurrentMap<String, Object> initialState = new ConcurrentHashMap<>(Map.of(\"a\", \"x\", \"b\", 2));",
            &["StateKey a!", "StateKey b!"],
        ),
        (Java, "e.stateDelta(Map.ofEntries(entry(\"a\", 1)));", &["StateKey a!"]),
        (Java, "ensemble.run(Map.of(\"a\", \"x\"));", &["Input a!"]),
        (Java, "b.input(\"a\", x).inputs(Map.of(\"b\", y));", &["Input a!", "Input b!"]),
        (
            Java,
            "var m = new HashMap<String, String>(); m.put(\"a\", x); n.put(\"b\", y); e.run(m);",
            &["Input a!"],
        ),
        (
            Kotlin,
            "val s = mapOf(\"x\" to 1)\nstate = mapOf(\"a\" to 1, \"b\" to 2)",
            &["StateKey a!", "StateKey b!"],
        ),
        (
            Kotlin,
            "LlmAgent(outputKey = \"plan\")\nctx.state[\"a\"] = 1",
            &["OutputKey plan!", "State a!"],
        ),
        (TypeScript, "new LlmAgent({name: 'x', outputKey: 'plan'})", &["OutputKey plan!"]),
        (
            TypeScript,
            "create({state: {topic: 'x', 'b': 1, c, ...d}})",
            &["StateKey topic!", "StateKey b!", "StateKey c!", "computed"],
        ),
        (JavaScript, "ctx.state.set('a', 1); ctx.state?.get('b')", &["State a!", "State b"]),
        (Go, "llmagent.Config{OutputKey: \"plan\"}", &["OutputKey plan!"]),
        (Go, "ctx.State().Set(\"a\", 1)", &["State a!"]),
        (Go, "r{State: map[string]any{\"a\": 1}}", &["StateKey a!"]),
        (Yaml, "name: x\noutput_key: plan\n", &["OutputKey plan!"]),
        (Yaml, "output_key: 'plan' # x\n", &["OutputKey plan!"]),
        (Json, r#"{"output_key": "plan"}"#, &["OutputKey plan!"]),
    ] {
        assert_eq!(read(language, source), expected, "{language:?}: {source}");
    }
}

#[test]
fn inputs_of_crews_are_found() {
    use Language::*;
    for (language, source, expected) in [
        (Python, "Crew().kickoff(inputs={'a': 1, **more})", &["Input a!", "computed"][..]),
        (Python, "c.akickoff(inputs=dict(a=1))\nc.run(inputs={'b': 1})", &["Input a!"]),
        (Python, "c.kickoff_for_each(inputs=[{'a': 1}, x])", &["Input a!", "computed"]),
        (Python, "c.kickoff(inputs={'a': 1})\n@before_kickoff", &["Input a!", "computed"]),
        (Python, "def f(inputs):\n  c.kickoff(inputs=inputs)", &["computed"]),
        (
            Python,
            "inputs = {'a': 1}\ninputs['b'] = 2\nc.kickoff_async(inputs=inputs)",
            // The application declares `inputs`, too.
            &["Input a!", "Input b!", "computed"],
        ),
        (
            Python,
            "rows = [{'a': 1}]\nfor row in rows:\n  c.kickoff(inputs=row)",
            &["Input a!", "computed"],
        ),
        (Python, "inputs = {'a': 1}\nc.start(inputs=inputs)", &[]),
        (
            Python,
            "all = [{'a': 1}, dict(b=2),]\nc.kickoff_for_each(inputs=all)",
            &["Input a!", "Input b!", "computed"],
        ),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
    }
}

#[test]
fn keys_that_are_joined_from_parts_are_known() {
    use Language::*;
    for (language, source, expected) in [
        (Python, "P = 'trip_'\nstate[P + 'day'] = 1", &["joined trip_day"][..]),
        (Python, "P = 'trip_'\nstate[f'{P}day'] = 1", &["joined trip_day"]),
        (Python, "state['trip_' 'day'] = 1", &["joined trip_day"]),
        (Python, "P = 'trip_'\nDAY = f'{P}day'\nstate[DAY] = 1", &["joined trip_day"]),
        (Python, "A = 'a'\nB = A\nC = B + 'x'\nstate.update({C: 1})", &["joined ax"]),
        (Python, "P = 'trip_'\nstate.update({f'{P}day': 1})", &["joined trip_day"]),
        (Python, "P = 'a'\nLlmAgent(output_key=P + 'b')", &["joined ab"]),
        (Python, "class K(StrEnum):\n  DAY = auto()\nstate[K.DAY] = 1", &["joined day"]),
        (Python, "class K(Enum):\n  DAY = auto()\nstate[K.DAY] = 1", &["computed"]),
        (Python, "P = f()\nstate[P + 'day'] = 1", &["computed"]),
        (Python, "P = 'a'\nP = 'b'\nstate[P + 'day'] = 1", &["computed"]),
        (Python, "A = B\nB = A\nstate[A + 'day'] = 1", &["computed"]),
        (Python, "state[f'{x}day'] = 1", &["computed"]),
        (Python, "state.update({f'{x}day': 1})", &["computed"]),
        (Python, "state.update({'no key': 1})", &[]),
        (Python, "x = state['a' + 'b']", &[]),
        (TypeScript, "const P = 'trip_'; s.state.set(`${P}day`, 1)", &["joined trip_day"]),
        (TypeScript, "const P = 'trip_'; run({state: {[P + 'day']: 1}})", &["joined trip_day"]),
        (Java, "String P = \"a\"; ctx.state().put(P + \"b\", 1);", &["joined ab"]),
        (Java, "String P = \"a\"; e.stateDelta(Map.of(P + \"b\", 1));", &["joined ab"]),
        (Java, "e.stateDelta(Map.of(p + \"b\", 1));", &["computed"]),
        (Kotlin, "val P = \"a\"\nstate = mapOf(P + \"b\" to 1)", &["joined ab"]),
        (Kotlin, "val P = \"a\"\nstate = mapOf(\"${P}b\" to 1)", &["joined ab"]),
        (Go, "const P = \"a\"\nctx.State().Set(P + \"b\", 1)", &["joined ab"]),
        (Go, "const P = \"a\"\nr{State: map[string]any{P + \"b\": 1}}", &["joined ab"]),
    ] {
        assert_eq!(read(language, source), expected, "{source}");
        let keys = expected.iter().filter_map(|it| it.strip_prefix("joined "));
        keys.for_each(|key| assert!(flow(language, source).mentions(key), "{source}"));
    }
}

/// A local variable of the same name is something else.
#[test]
fn a_member_of_a_constant_of_another_file_is_named() {
    let source = "const facts = await find(); context.state.set(Keys.facts, facts)";
    let named = flow(Language::TypeScript, source).named;
    assert_eq!(named.iter().map(|it| &*it.word).collect::<Vec<_>>(), ["facts"]);
}

#[test]
fn possible_keys_are_mentions() {
    for (language, source, name, expected) in [
        (Language::Python, "x['topic']", "topic", true),
        (Language::Python, "x = 'the topic'", "topic", false),
        (Language::Python, "# 'topic'", "topic", false),
        (Language::Python, "class S(Model):\n  topic: str", "topic", true),
        (Language::Python, "f(topic=1)", "topic", true),
        (Language::Python, "f(topic)", "topic", false),
        (Language::Python, "f(ctx.state['topic'], k)", "topic", false),
        (Language::Python, "ctx.state['topic'], k = f()", "topic", true),
        (Language::Python, "K = 'topic'\nctx.state.get(K)", "topic", false),
        (Language::Python, "LlmAgent(name='topic')", "topic", false),
        (Language::TypeScript, "new LlmAgent({name: 'topic'})", "topic", false),
        (Language::Python, "f(name='topic')", "topic", true),
        (Language::Python, "f(f'topic')", "topic", true),
        (Language::Java, "f(\"user:topic\")", "user:topic", true),
        (Language::Yaml, "- topic\n", "topic", true),
        (Language::Yaml, "topic:\n- x\n", "topic", true),
        (Language::Yaml, "x: |\n  topic\n", "topic", true),
        (Language::Yaml, "- the topic.\n", "topic", false),
        (Language::Yaml, "# topic\nx: 1\n", "topic", false),
        (Language::Yaml, "instruction: Of {topic}\n", "topic", false),
        (Language::Yaml, "name: a\nmodel: m\ninstruction: x\n", "model", false),
        (Language::Yaml, "name: a\nmodel: topic\ninstruction: x\n", "topic", true),
        (Language::Yaml, "agent_class: LoopAgent\nname: a\nsub_agents: []\n", "name", false),
        (Language::Yaml, "agent_class: my.Agent\nname: a\ntopic: x\n", "topic", true),
        // A template is no valid YAML.
        (Language::Yaml, "{{ if x }}\na: topic\n{{ end }}\n", "topic", true),
        (Language::Json, r#"{"topics": 1}"#, "topic", false),
        (Language::Json, r#"{"x": ["topic"]}"#, "topic", true),
        (Language::Json, r#"{"x": "the topic"}"#, "topic", false),
        (Language::Toml, "topic = 1", "topic", true),
        (Language::Toml, "x = 'of topic' # topic", "topic", false),
        (Language::Markdown, "---\ntopic: x\n---\n", "topic", true),
        (Language::Markdown, "---\na: x\n---\ntopic", "topic", false),
    ] {
        assert_eq!(flow(language, source).mentions(name), expected, "{source}");
    }
}

#[test]
fn only_code_cells_of_notebooks_have_mentions() {
    let cell = |kind: &str, source: &str| {
        let cells =
            format!("[{{'cell_type': '{kind}', 'source': {source}, 'outputs': ['topic']}}]");
        format!("{{'cells': {cells}, 'nbformat': 4}}").replace('\'', "\"")
    };
    for (kind, source, expected) in [
        ("code", "['x = 1', 'f(`topic`)']", true),
        ("code", "'state[`topic`] = 1'", true),
        ("code", "'# topic'", false),
        ("code", "'print(`the topic`)'", false),
        ("code", "'%%writefile a.yaml\\na: topic'", true),
        ("markdown", "['topic']", false),
    ] {
        let notebook = cell(kind, source).replace('`', "'");
        let flow = flow(Language::Json, &notebook);
        assert_eq!(flow.mentions("topic"), expected, "{notebook}");
    }
    let notebook = cell("code", "'state[key] = 1'");
    assert!(accesses(Language::Json, &notebook).computes_keys);
}

#[test]
fn whole_strings_are_found_for_a_rename() {
    for (language, source, expected) in [
        (Language::Python, "a('topic', \"topic\", 'topics', topic)", &[3, 12][..]),
        (Language::Python, "a('''topic''', f'{topic}')", &[5]),
        (Language::Yaml, "topic: x\na: topic # y\nb: the topic\nc: 'topic'\n", &[0, 12, 39]),
        (Language::Json, "{\"a\": [\"topic\", \"a topic\"]}", &[8]),
    ] {
        let starts: Vec<usize> =
            whole_strings(language, source, "topic").into_iter().map(|it| it.start).collect();
        assert_eq!(starts, expected, "{source}");
    }
}

#[test]
fn a_large_file_is_read_in_linear_time() {
    let map = format!("state={{{}}}", "'a': 1, ".repeat(50_000));
    assert_eq!(flow(Language::Python, &map).accesses.len(), 50_000);
    let nested = format!("state={}", "{'a': (".repeat(20_000));
    assert_eq!(flow(Language::Python, &nested).accesses.len(), 0);
    let chained = "state = ".repeat(50_000);
    assert_eq!(flow(Language::Python, &chained).accesses.len(), 0);
    let constants = format!("K = 'a'\n{}", "state[K] = 1\n".repeat(20_000));
    assert_eq!(flow(Language::Python, &constants).accesses.len(), 1);
    let sum =
        |number: usize| format!("K{number} = {}'a'\n", format!("K{} + ", number + 1).repeat(7));
    let joined: String = (0..5_000).map(sum).collect();
    assert!(flow(Language::Python, &joined).constants.iter().all(|it| it.key.is_none()));
}

/// A dump of bytes in a data file is one long word.
#[test]
fn a_very_long_word_is_read_once() {
    let long = format!("dump: {}\nkey: plan\n", "0f".repeat(900_000));
    let flow = flow(Language::Yaml, &long);
    assert!(flow.mentions("plan") && flow.mentions("dump"));
    assert!(whole_strings(Language::Yaml, &long, "plan").len() == 1);
}

proptest! {
    /// The quick check rejects no file that contains accesses.
    #[test]
    fn the_quick_check_rejects_no_file_with_accesses(
        word in select(&["state", "output_key", "x.run", "x.input", "x.state()"]),
        parts in vec(select(&[
            "state", "output_key", "run", "get", "update", "None", "x", "'a'", "\"", ".", "[", "]", "=",
            ":", "{", "}", "(", ")", "?", "!", "|", ",", " ", "\n", "# c\n", "// c\n",
        ]), 0..8),
        language in select(&[Language::Python, Language::Java, Language::TypeScript, Language::Go]),
    ) {
        let source = format!("{word}{}", parts.concat());
        let said = code::accesses(language, &source);
        let is_silent = said.accesses.is_empty() && !said.computes_keys;
        prop_assert!(is_silent || may_access(language, &source), "{:?}: {:?}", language, source);
    }
}

/// The names of keys that other code declares; `computed` for keys of which nothing is known.
#[test]
fn names_of_keys_declared_in_other_code_are_found() {
    use Language::{Go, Java, Kotlin, Python, TypeScript};

    for (language, source, expected) in [
        (Python, "state[K.NAME] = 1", &["NAME"][..]),
        (Python, "state[Key.NAME.value] = 1", &["NAME"]),
        (Python, "state[keys.NAME] = 1; state.setdefault(OTHER, 1)", &["NAME", "OTHER"]),
        (Python, "run(state_delta={K.A: 1, K.B: 2})", &["A", "B"]),
        (Python, "run(state={**app_state(), **INITIAL})", &["INITIAL", "app_state"]),
        (Python, "run(state=INITIAL.copy()); run(state=deepcopy(START))", &["INITIAL", "START"]),
        (Python, "for k, v in D.items():\n    state[k] = v", &["D"]),
        (Python, "from keys import name\nstate[name] = 1", &["name"]),
        (Python, "d = {'a': 1}\nstate.update(d)", &["d"]),
        (Python, "d = {}\nd[k] = 1\nstate.update(d)", &["computed"]),
        (Python, "d = {'a': 1}\nd[k] = 1\nstate.update(d)", &["computed"]),
        (Python, "def f(key):\n    state[key] = 1", &["computed"]),
        (Python, "for k in request.keys():\n    state[k] = 1", &["computed"]),
        (Python, "state[self.key] = 1; state[f'{x}_y'] = 1", &["computed"]),
        (TypeScript, "context.state.set(K.name, 1)", &["K", "name"]),
        (TypeScript, "for (const [k, v] of Object.entries(D)) state.set(k, v)", &["D"]),
        (Java, "for (String k : KEYS) { state.put(k, 1); }", &["KEYS"]),
        (Python, "for k, v in D.items():\n    state[v] = k", &["computed"]),
        (Python, "state[request.make()] = 1; state[request.name] = 1", &["computed"]),
        (TypeScript, "run({state: {...D, [K.NAME]: 1}})", &["D", "NAME"]),
        (Java, "ctx.state().put(Key.SEASON.key, 1);", &["SEASON"]),
        (Go, "ctx.State().Set(keys.Depot, 1)", &["Depot"]),
        (Kotlin, "context.updateState(key, value)", &["computed"]),
        (Kotlin, "context.updateState(\"a\", value); context.updateState(K.B, 1)", &["B"]),
        (Kotlin, "val d = mutableMapOf<String, Any>(\"a\" to 1)\nf(stateDelta = d)", &["d"]),
    ] {
        let flow = flow(language, source);
        let mut found: Vec<&str> = flow.elsewhere.iter().map(String::as_str).collect();
        found.extend(flow.computes_keys.then_some("computed"));
        assert_eq!(found, expected, "{source}");
    }
    for (language, source, name, expected) in [
        (Python, "NAME = 'a'", "NAME", true),
        (Python, "NAME: Final[str] = 'a'", "NAME", true),
        (Python, "NAME = 'a' + x", "NAME", false),
        (Python, "NAME = 'a'\nNAME = x()", "NAME", false),
        (Python, "D = {'a': 1}", "D", true),
        (Python, "D = {'a': 1, x: 2}", "D", false),
        (Python, "D = {'a': 1}\nD[x] = 2", "D", false),
        (Python, "F = ('a', 'b')", "F", true),
        (Python, "F = ('a', x)", "F", false),
        (Python, "def state():\n    return {'a': x}", "state", true),
        (Python, "def state():\n    return load()", "state", false),
        (TypeScript, "const K = {name: 'a'} as const;", "name", true),
        (TypeScript, "const d = (): State => ({a: 1});", "d", true),
        (Java, "enum Key { SEASON(\"season\"); final String key; }", "SEASON", true),
        (Go, "const Depot = \"depot\"", "Depot", true),
        (Go, "const Depot string = \"depot\"", "Depot", true),
        (Kotlin, "fun start() = mapOf(\"a\" to 1)", "start", true),
    ] {
        let is_declared = declarations(language, source).0.contains(&mention(name));
        assert_eq!(is_declared, expected, "{source}");
        assert_eq!(flow(language, source).declared.contains(&mention(name)), expected, "{source}");
    }
}

/// The crews of some code as `class file: agent a task b c?`.
fn crews(code: &str) -> Vec<String> {
    let head = "from crewai.project import CrewBase, agent, task as job, crew\n\
        import crewai.project\n";
    let shown = |crew: &Crew| {
        let members = crew.members.iter().map(|member| match member.kind {
            Some(CrewPart::Agent) => format!(" agent {}", member.name),
            Some(CrewPart::Task) => format!(" task {}", member.name),
            None => format!(" {}?", member.name),
        });
        let rest = if crew.is_whole { "" } else { " and others" };
        format!("{} {}:{}{rest}", crew.class, crew.tasks_file, members.collect::<String>())
    };
    accesses(Language::Python, &format!("{head}{code}")).crews.iter().map(shown).collect()
}

#[test]
fn agents_and_tasks_of_a_crew_are_its_decorated_methods() {
    for (code, expected) in [
        (
            "class C:\n  @agent\n  def a(self):\n    @job\n    def x(): pass\n  @job\n  \
             async def t(self): pass\n  def y(self): pass\n",
            "C config/tasks.yaml: agent a task t",
        ),
        (
            "class C():\n  'Doc.'\n  tasks_config: str = 'b.yaml'\n  @crewai.project.agent\n  \
             def a(self): pass\n  @crew\n  def c(self): pass\n",
            "C b.yaml: agent a",
        ),
        (
            "class C:\n  w = agent(f)\n  @mine\n  def m(self): pass\n  @retry(3)\n  @agent\n  \
             def a(self): pass\n",
            "C config/tasks.yaml: w? m? agent a",
        ),
        (
            "class C(Base):\n  @agent\n  def a(self): pass\n",
            "C config/tasks.yaml: agent a and others",
        ),
        ("@mine\nclass C:\n  pass\n", "C config/tasks.yaml: and others"),
    ] {
        assert_eq!(crews(&format!("@CrewBase\n{code}")), [expected], "{code}");
    }
    for code in [
        "class C:\n  @agent\n  def a(self): pass\n",
        "@CrewBase\nclass C:\n  tasks_config = path()\n",
        "@CrewBase\nclass C:\n  tasks_config = ['a.yaml', 'b.yaml']\n",
        "# CrewBase\n@other.CrewBase\nclass C: pass\n",
    ] {
        assert!(crews(code).is_empty(), "{code}");
    }
}

#[test]
fn names_of_agents_and_tasks_are_no_keys_of_a_state() {
    let yaml = "research:\n  description: d\n  expected_output: e\n  agent: writer\n  \
        context: [plan]\n";
    let tasks = flow(Language::Yaml, yaml);
    assert!(!["research", "writer", "plan", "agent"].iter().any(|name| tasks.mentions(name)));
    let other = flow(Language::Yaml, &yaml.replace("expected_output", "output"));
    assert!(["research", "writer", "plan"].iter().all(|name| other.mentions(name)));
    let code = "f(self.tasks_config['research'], self.agents_config['writer'], x['plan'])";
    let code = flow(Language::Python, code);
    assert!(!code.mentions("research") && !code.mentions("writer") && code.mentions("plan"));
}
