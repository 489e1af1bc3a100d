//! Decorations of a prompt, on the real binary: colours, folds, the outline, links, hints and
//! lenses.

use expect_test::expect;
use promptls_tests::{Client, Editor, Workspace};
use serde_json::{Value, json};

const PROMPT: &str = "reply.adk.prompt";
const INPUTS: &str = "reply.adk.inputs.json";
const ANGRY: &str = "reply.adk.angry.inputs.json";

fn reply() -> Workspace {
    Workspace::new(&[
        (PROMPT, "Dear {name}, {topic?}"),
        (INPUTS, r#"{"name": "Ada", "topic": "tea"}"#),
        (ANGRY, r#"{"topic": "no tea"}"#),
    ])
}

#[test]
fn semantic_tokens_of_an_edited_prompt_are_sent_as_a_delta() {
    let mut editor = Editor::start(reply());
    editor.open_file(PROMPT);
    editor.ignore_problems();
    let document = json!({ "textDocument": { "uri": editor.uri(PROMPT) } });
    let full = editor.request("textDocument/semanticTokens/full", document.clone());
    expect![[r#"
        1:6 `{` operator
        1:7 `name` variable
        1:11 `}` operator
        1:14 `{` operator
        1:15 `topic` variable
        1:20 `?` operator
        1:21 `}` operator
    "#]]
    .assert_eq(&colours(&editor, PROMPT, &full["data"]));

    editor.replace(PROMPT, "{name}", "{user:name}");
    let mut params = document.clone();
    params["previousResultId"] = full["resultId"].clone();
    let delta = editor.request("textDocument/semanticTokens/full/delta", params.clone());
    let [edit] = &delta["edits"].as_array().expect("a list of edits")[..] else {
        panic!("one edit is enough: {delta}");
    };
    let mut data = full["data"].as_array().expect("numbers").clone();
    let number = |field: &str| edit[field].as_u64().expect("a number") as usize;
    let new = edit["data"].as_array().cloned().unwrap_or_default();
    assert!(new.len() < data.len(), "less than all: {delta}");
    data.splice(number("start")..number("start") + number("deleteCount"), new);
    // `abstract`: it has no value.
    expect![[r#"
        1:6 `{` operator
        1:7 `user:` namespace abstract
        1:12 `name` variable abstract
        1:16 `}` operator
        1:19 `{` operator
        1:20 `topic` variable
        1:25 `?` operator
        1:26 `}` operator
    "#]]
    .assert_eq(&colours(&editor, PROMPT, &json!(data)));

    // A delta is possible only from the last response.
    let again = editor.request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(again["data"], json!(data));
    params = document;
    params["previousResultId"] = again["resultId"].clone();
    let nothing = editor.request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(nothing["edits"], json!([]));
    editor.close();
}

#[test]
fn semantic_tokens_support_ranges_and_multiple_lines() {
    let text = "{{a}}\n{{one\ntwo 🎉}}\n{{b}}";
    let mut editor = Editor::open_one("a.agentle.prompt", text);
    editor.ignore_problems();
    let params = json!({
        "textDocument": { "uri": editor.uri("a.agentle.prompt") },
        "range": lines(1, 2),
    });
    let tokens = editor.request("textDocument/semanticTokens/range", params);
    expect![[r#"
        2:1 `{{` operator
        2:3 `one` variable
        3:1 `two 🎉` variable
        3:7 `}}` operator
    "#]]
    .assert_eq(&colours(&editor, "a.agentle.prompt", &tokens["data"]));
    editor.close();

    let more_capabilities =
        json!({"textDocument": {"semanticTokens": {"multilineTokenSupport": true}}});
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[]));
    editor.open("a.agentle.prompt", text);
    editor.ignore_problems();
    let params = json!({
        "textDocument": { "uri": editor.uri("a.agentle.prompt") },
        "range": lines(1, 2),
    });
    let tokens = editor.request("textDocument/semanticTokens/range", params);
    assert_eq!(tokens["data"].as_array().map(Vec::len), Some(15), "three tokens: {tokens}");
    editor.close();
}

#[test]
fn blocks_and_sections_fold() {
    let text = "# A\n{{#if a}}\nb\n{{/if}}\n\n## B\nc\n# C\nd\n";
    let mut editor = Editor::open_one("a.agentle.prompt", text);
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri("a.agentle.prompt") } });
    let folds = editor.request("textDocument/foldingRange", params);
    expect![[r#"
        {"startLine":0,"startCharacter":3,"endLine":6,"endCharacter":1}
        {"startLine":1,"startCharacter":9,"endLine":3,"endCharacter":0}
        {"startLine":5,"startCharacter":4,"endLine":6,"endCharacter":1}
        {"startLine":7,"startCharacter":3,"endLine":8,"endCharacter":1}"#]]
    .assert_eq(&each(&folds, Value::to_string).join("\n"));
    // A document without folds is left to the editor, and so are other programs' files.
    editor.open("b.agentle.prompt", "{{a}}");
    editor.open("package.json", "{\n\"a\": [\n1]}");
    for file in ["b.agentle.prompt", "package.json"] {
        let params = json!({ "textDocument": { "uri": editor.uri(file) } });
        assert_eq!(editor.request("textDocument/foldingRange", params), Value::Null);
    }
    editor.close();

    let more_capabilities =
        json!({"textDocument": {"foldingRange": {"lineFoldingOnly": true, "rangeLimit": 2}}});
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[]));
    editor.open("a.agentle.prompt", text);
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri("a.agentle.prompt") } });
    let folds = editor.request("textDocument/foldingRange", params);
    expect![[r#"
        {"startLine":0,"endLine":6}
        {"startLine":1,"endLine":2}"#]]
    .assert_eq(&each(&folds, Value::to_string).join("\n"));
    editor.close();
}

#[test]
fn the_outline_is_a_tree_or_a_list() {
    let text = "# Task\n{{a}}\n{{#each xs}}{{this.b}}{{/each}}";
    let mut editor = Editor::open_one("a.agentle.prompt", text);
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri("a.agentle.prompt") } });
    let symbols = editor.request("textDocument/documentSymbol", params);
    let mut tree = String::new();
    show_tree(&symbols, 0, &mut tree);
    expect![[r#"
        Task 1:1-3:32
          a 2:1-2:6
          #each xs 3:1-3:32
            this.b 3:13-3:23
    "#]]
    .assert_eq(&tree);
    editor.close();

    let more_capabilities = json!({
        "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": false}}
    });
    let client = Client { more_capabilities, ..Client::default() };
    let pack = r#"{"prompts": {"greet": {"system_template": "Hi\n{{name}}"}}}"#;
    let mut editor = Editor::start_as(client, Workspace::new(&[("p.pack.json", pack)]));
    editor.open_file("p.pack.json");
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri("p.pack.json") } });
    let symbols = editor.request("textDocument/documentSymbol", params);
    let shown = each(&symbols, |symbol| {
        let range = range(&symbol["location"]["range"]);
        format!("{} in {} {range}", symbol["name"], symbol["containerName"])
    });
    expect![[r#"
        "greet" in null 1:44-1:56
        "name" in "greet" 1:48-1:56"#]]
    .assert_eq(&shown.join("\n"));
    editor.close();
}

#[test]
fn files_artifacts_and_addresses_are_links() {
    let mut editor = Editor::start(Workspace::new(&[
        (
            "promptls.toml",
            "[[prompts]]\nfiles = ['agents/*.txt']\ninputs = ['state.json', '*.yaml']\n",
        ),
        ("agents/a.txt", "On https://example.org/x. {artifact.note} {artifact.long?}"),
        (
            "state.json",
            "{\"artifact.note\":\n\"see http://example.org\", \"artifact.long\": {\"$file\": \"docs/long.md\"}}",
        ),
        ("docs/long.md", "…"),
        ("other.json", r#"{"a": "https://example.org"}"#),
    ]));
    editor.ignore_problems();
    let mut links = String::new();
    for file in ["agents/a.txt", "state.json", "promptls.toml", "other.json"] {
        editor.open_file(file);
        let params = json!({ "textDocument": { "uri": editor.uri(file) } });
        let found = editor.request("textDocument/documentLink", params);
        let folder = editor.uri("");
        for link in found.as_array().into_iter().flatten() {
            let target = link["target"].as_str().expect("an address").replace(&folder, "");
            links += &format!("{file} {} → {target}\n", range(&link["range"]));
        }
    }
    expect![[r#"
        agents/a.txt 1:4-1:25 → https://example.org/x
        agents/a.txt 1:28-1:41 → state.json#L2
        agents/a.txt 1:44-1:57 → docs/long.md
        state.json 2:6-2:24 → http://example.org
        state.json 2:55-2:67 → docs/long.md
        promptls.toml 3:12-3:22 → state.json
    "#]]
    .assert_eq(&links);
    editor.close();
}

#[test]
fn hints_show_the_selected_case() {
    let mut editor = Editor::start(reply());
    editor.open_file(PROMPT);
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) }, "range": lines(0, 1) });
    let hints = editor.request("textDocument/inlayHint", params.clone());
    assert_eq!(labels(&hints), ["1:12 = Ada", "1:22 = tea"]);
    // This editor does not resolve tooltips later.
    expect![[r#"
        **`name`**

        - **default**: `Ada` — [reply.adk.inputs.json](reply.adk.inputs.json#L1)
        - **angry**: no value

        Without a value, Google ADK raises `Context variable not found: name`; `?` makes it optional."#]]
    .assert_eq(&editor.with_paths(hints[0]["tooltip"]["value"].as_str().expect("a tooltip")));

    let arguments = json!([{ "uri": editor.uri(PROMPT), "case": "angry" }]);
    let command = json!({ "command": "promptls.selectCase", "arguments": arguments });
    editor.request("workspace/executeCommand", command);
    wait_for_refresh(&mut editor);
    let hints = editor.request("textDocument/inlayHint", params.clone());
    assert_eq!(labels(&hints), ["1:12 missing", "1:22 = no tea"]);

    // Unsaved values count at once.
    editor.open_file(ANGRY);
    editor.replace(ANGRY, "no tea", "coffee");
    wait_for_refresh(&mut editor);
    let hints = editor.request("textDocument/inlayHint", params);
    assert_eq!(labels(&hints), ["1:12 missing", "1:22 = coffee"]);
    editor.close();
}

#[test]
fn hints_and_ghost_values_of_a_long_line_are_limited() {
    let mut editor = Editor::start(Workspace::new(&[(INPUTS, r#"{"name": "Ada"}"#)]));
    let [few, many] = [1_000, 9_000].map(|count| "{name} ".repeat(count));
    let behind = format!("{}{{name}}", " ".repeat(10_000));
    editor.open(PROMPT, &format!("{many}\n{behind}\n{few}\n{{name}}"));
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) }, "range": lines(0, 4) });
    // To draw a hint, an editor lays out the whole line again.
    for (method, in_longest) in [("textDocument/inlayHint", 0), ("promptls/values", 64)] {
        let found = editor.request(method, params.clone());
        let line = |it: &Value| match &it["position"]["line"] {
            Value::Null => it["range"]["start"]["line"].as_u64(),
            line => line.as_u64(),
        };
        let lines = each(&found, |it| line(it).expect("a line"));
        let of_line = |wanted| lines.iter().filter(|&&line| line == wanted).count();
        assert_eq!([0, 1, 2, 3].map(of_line), [in_longest, 0, 64, 1], "{method}");
    }
    editor.close();
}

/// Neovim sets all colours of a line again at each key press, tens of thousands in a line of a
/// megabyte.
#[test]
fn semantic_tokens_of_a_long_line_are_limited() {
    let mut editor = Editor::start(Workspace::new(&[(INPUTS, r#"{"name": "Ada"}"#)]));
    let name = "{name} ";
    editor.open(PROMPT, &format!("{}\n{name}", name.repeat(2_000)));
    editor.ignore_problems();
    let document = json!({ "textDocument": { "uri": editor.uri(PROMPT) } });
    let full = editor.request("textDocument/semanticTokens/full", document);
    let colours = colours(&editor, PROMPT, &full["data"]);
    let of_line = |line: &str| colours.lines().filter(|colour| colour.starts_with(line)).count();
    // Of the last name in the first line, only the brace begins before the end.
    let all = 10_000_usize.div_ceil(name.len()) * 3;
    assert!((all - 2..=all).contains(&of_line("1:")), "{} colours", of_line("1:"));
    assert_eq!(of_line("2:"), 3);
    editor.close();
}

#[test]
fn the_width_of_hints_is_configurable() {
    let settings = json!({"promptls": {"inlayHints": {"maximumLength": 4}}});
    let client = Client { settings: Some(settings), ..Client::default() };
    let mut editor = Editor::start_as(client, reply());
    editor.open(INPUTS, r#"{"name": "Ada Lovelace", "topic": "tea"}"#);
    editor.open_file(PROMPT);
    editor.ignore_problems();
    wait_for_refresh(&mut editor);
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) }, "range": lines(0, 1) });
    let hints = editor.request("textDocument/inlayHint", params);
    assert_eq!(labels(&hints), ["1:12 = Ada …", "1:22 = tea"]);
    editor.close();
}

#[test]
fn the_tooltip_of_a_hint_is_resolved_lazily() {
    let more_capabilities =
        json!({"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}}});
    let client = Client { more_capabilities, ..Client::default() };
    let mut editor = Editor::start_as(client, reply());
    editor.open_file(PROMPT);
    editor.ignore_problems();
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) }, "range": lines(0, 1) });
    let hints = editor.request("textDocument/inlayHint", params);
    assert_eq!(hints[1]["tooltip"], Value::Null);
    let hint = editor.request("inlayHint/resolve", hints[1].clone());
    expect![[r#"
        **`topic`** — optional

        - **default**: `tea` — [reply.adk.inputs.json](reply.adk.inputs.json#L1)
        - **angry**: `no tea` — [reply.adk.angry.inputs.json](reply.adk.angry.inputs.json#L1)"#]]
    .assert_eq(&editor.with_paths(hint["tooltip"]["value"].as_str().expect("a tooltip")));

    // A hint for an outdated text has none.
    editor.replace(PROMPT, "Dear ", "");
    let hint = editor.request("inlayHint/resolve", hints[1].clone());
    assert_eq!(hint["tooltip"], Value::Null);
    editor.close();
}

#[test]
fn hints_and_lenses_can_be_switched_off() {
    let settings =
        json!({"promptls": {"inlayHints": {"enabled": false}, "codeLens": {"enabled": false}}});
    let client = Client { settings: Some(settings), ..Client::default() };
    let mut editor = Editor::start_as(client, reply());
    editor.open_file(PROMPT);
    editor.ignore_problems();
    wait_for_refresh(&mut editor);
    let params = json!({ "textDocument": { "uri": editor.uri(PROMPT) }, "range": lines(0, 1) });
    assert_eq!(editor.request("textDocument/inlayHint", params.clone()), Value::Null);
    assert_eq!(editor.request("textDocument/codeLens", params), Value::Null);
    editor.close();
}

#[test]
fn lenses_offer_only_commands_that_the_client_supports() {
    let mut editor = Editor::start(reply());
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor.open_file(ANGRY);
    editor.open("new.adk.prompt", "{x}");
    editor.open("package.json", "{}");
    let mut shown = lenses(&mut editor, PROMPT);
    shown += &lenses(&mut editor, ANGRY);
    shown += &lenses(&mut editor, "new.adk.prompt");
    shown += &lenses(&mut editor, "package.json");
    expect![[r#"
        1:1 Case default (1 of 2): promptls.selectCase [{"uri":"reply.adk.prompt","case":"angry"}]
        1:1 Read by reply.adk.prompt:  null
        1:1 Show case angry: promptls.selectCase [{"uri":"reply.adk.prompt","case":"angry"}]
        1:1 Create the inputs file: promptls.createInputs [{"uri":"new.adk.prompt"}]
    "#]]
    .assert_eq(&shown);
    editor.close();

    let commands =
        json!({"commands": ["promptls.openPreview", "promptls.pickCase", "promptls.newCase"]});
    let client = Client { initialization_options: commands, ..Client::default() };
    let mut editor = Editor::start_as(client, reply());
    editor.ignore_problems();
    editor.open_file(PROMPT);
    editor.open_file(ANGRY);
    editor.open("new.adk.prompt", "{x}");
    editor.replace(PROMPT, "{topic?}", "{topci}");
    let mut shown = lenses(&mut editor, PROMPT);
    shown += &lenses(&mut editor, ANGRY);
    shown += &lenses(&mut editor, "new.adk.prompt");
    expect![[r#"
        1:1 Preview: promptls.openPreview ["reply.adk.prompt"]
        1:1 Case default (1 of 2) · 1 problem: promptls.pickCase ["reply.adk.prompt"]
        1:1 Read by reply.adk.prompt: promptls.openPreview ["reply.adk.prompt"]
        1:1 Show case angry: promptls.selectCase [{"uri":"reply.adk.prompt","case":"angry"}]
        1:1 Preview: promptls.openPreview ["new.adk.prompt"]
        1:1 Create the inputs file: promptls.newCase ["new.adk.prompt"]
    "#]]
    .assert_eq(&shown);
    editor.close();
}

#[test]
fn a_shared_file_has_lenses_for_the_prompts_in_all_folders() {
    const SHARED: &str = "state.json";
    let rule = "[[prompts]]\nfiles = ['p/**/*.txt']\ndialect = 'adk'\ninputs = ['state.json']\n";
    let commands = json!({"commands": ["promptls.openPreview"]});
    let client = Client { initialization_options: commands, ..Client::default() };
    let workspace = Workspace::new(&[
        ("promptls.toml", rule),
        (SHARED, r#"{"x": 1, "y": 2}"#),
        ("p/a.txt", "{x}"),
        ("p/deep/b.txt", "{x} {y}"),
        ("other.txt", "{x}"),
    ]);
    let mut editor = Editor::start_as(client, workspace);
    editor.open_file(SHARED);
    wait_for_refresh(&mut editor);
    expect![[r#"
        1:1 Read by a.txt: promptls.openPreview ["p/a.txt"]
        1:1 b.txt: promptls.openPreview ["p/deep/b.txt"]
    "#]]
    .assert_eq(&lenses(&mut editor, SHARED));
    editor.close();
}

#[test]
fn an_inputs_file_has_a_lens_that_shows_its_case() {
    let mut editor = Editor::start(reply());
    editor.ignore_problems();
    editor.open_file(ANGRY);
    let document = json!({ "textDocument": { "uri": editor.uri(ANGRY) } });
    let found = editor.request("textDocument/codeLens", document);
    let command = &found[1]["command"];
    let command = json!({ "command": command["command"], "arguments": command["arguments"] });
    editor.request("workspace/executeCommand", command);
    wait_for_refresh(&mut editor);
    expect![[r#"
        1:1 Read by reply.adk.prompt:  null
    "#]]
    .assert_eq(&lenses(&mut editor, ANGRY));
    // It is still shown when the prompt is opened.
    editor.open_file(PROMPT);
    expect![[r#"
        1:1 Case angry (2 of 2) · 1 problem: promptls.selectCase [{"uri":"reply.adk.prompt","case":"default"}]
    "#]]
    .assert_eq(&lenses(&mut editor, PROMPT));
    editor.close();
}

#[test]
fn each_prompt_of_a_pack_has_its_own_lenses() {
    const PACK: &str = "p.pack.json";
    let text = r#"{"prompts": {
"a": {"system_template": "\"{{name}}\" {{tone}}", "variables": [{"name": "name", "type": "string"}]},
"b": {"system_template": "\n{{town}}", "variables": [{"name": "town", "type": "string"}]}},
"fragments": {"tone": "Be kind"}}"#;
    let inputs = ("p.pack.inputs.json", r#"{"name": "Ada"}"#);
    let commands = json!({"commands": ["promptls.openPreview"]});
    let client = Client { initialization_options: commands, ..Client::default() };
    let mut editor = Editor::start_as(client, Workspace::new(&[(PACK, text), inputs]));
    editor.ignore_problems();
    editor.open_file(PACK);
    expect![[r#"
        2:27 Preview: promptls.openPreview ["p.pack.json",{"line":1,"character":26}]
        2:27 Case default:  null
        3:27 Preview: promptls.openPreview ["p.pack.json",{"line":2,"character":26}]
        3:27 Case default · 1 problem:  null
    "#]]
    .assert_eq(&lenses(&mut editor, PACK));
    let document = json!({ "textDocument": { "uri": editor.uri(PACK) } });
    let tokens = editor.request("textDocument/semanticTokens/full", document.clone());
    expect![[r#"
        2:29 `{{` operator
        2:31 `name` variable
        2:35 `}}` operator
        2:40 `{{` operator
        2:42 `tone` macro
        2:46 `}}` operator
        3:29 `{{` operator
        3:31 `town` variable abstract
        3:35 `}}` operator
    "#]]
    .assert_eq(&colours(&editor, PACK, &tokens["data"]));
    let mut params = document;
    params["range"] = lines(2, 3);
    let hints = editor.request("textDocument/inlayHint", params);
    assert_eq!(labels(&hints), ["3:37 missing"]);
    editor.close();
}

/// All three kinds of decorations are requested again.
fn wait_for_refresh(editor: &mut Editor) {
    for kind in ["inlayHint", "codeLens", "semanticTokens"] {
        editor.next_server_request(&format!("workspace/{kind}/refresh"));
    }
}

fn lines(start: u64, end: u64) -> Value {
    json!({ "start": { "line": start, "character": 0 }, "end": { "line": end, "character": 99 } })
}

fn labels(hints: &Value) -> Vec<String> {
    each(hints, |hint| {
        let label = hint["label"].as_str().expect("a label");
        format!("{} {label}", position(&hint["position"]))
    })
}

/// A line for each lens: place, title, command, arguments.
fn lenses(editor: &mut Editor, document: &str) -> String {
    let params = json!({ "textDocument": { "uri": editor.uri(document) } });
    let found = editor.request("textDocument/codeLens", params);
    let folder = editor.uri("");
    let line = |lens: &Value| {
        let command = &lens["command"];
        let text = |field: &str| command[field].as_str().expect("a text").to_owned();
        let arguments = command["arguments"].to_string().replace(folder.trim_end_matches('/'), "");
        let arguments = arguments.replace("\"/", "\"");
        let place = position(&lens["range"]["start"]);
        format!("{place} {}: {} {arguments}\n", text("title"), text("command"))
    };
    each(&found, line).concat()
}

/// A line for each token: place, text, type, modifiers.
fn colours(editor: &Editor, document: &str, data: &Value) -> String {
    let legend = &editor.server_capabilities()["semanticTokensProvider"]["legend"];
    let text = editor.text(document).to_owned();
    let numbers: Vec<usize> =
        each(data, |number| number.as_u64().expect("a number") as usize).into_iter().collect();
    let (mut line, mut column) = (0, 0);
    let mut shown = String::new();
    for token in numbers.chunks(5) {
        let &[lines, columns, length, kind, modifiers] = token else { panic!("five numbers") };
        column = if lines == 0 { column + columns } else { columns };
        line += lines;
        let units: Vec<u16> = text.lines().nth(line).expect("a line").encode_utf16().collect();
        let piece = String::from_utf16(&units[column..column + length]).expect("whole characters");
        let kind = legend["tokenTypes"][kind].as_str().expect("a type");
        shown += &format!("{}:{} `{piece}` {kind}", line + 1, column + 1);
        for bit in (0..8).filter(|bit| modifiers & (1 << bit) != 0) {
            shown += &format!(" {}", legend["tokenModifiers"][bit].as_str().expect("a modifier"));
        }
        shown.push('\n');
    }
    shown
}

fn show_tree(symbols: &Value, depth: usize, out: &mut String) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let name = symbol["name"].as_str().expect("a name");
        *out += &format!("{}{name} {}\n", "  ".repeat(depth), range(&symbol["range"]));
        show_tree(&symbol["children"], depth + 1, out);
    }
}

fn each<T>(list: &Value, item: impl Fn(&Value) -> T) -> Vec<T> {
    list.as_array().into_iter().flatten().map(item).collect()
}

fn range(range: &Value) -> String {
    format!("{}-{}", position(&range["start"]), position(&range["end"]))
}

/// A position, counted from 1.
fn position(position: &Value) -> String {
    let number = |field: &str| position[field].as_u64().expect("a number") + 1;
    format!("{}:{}", number("line"), number("character"))
}
