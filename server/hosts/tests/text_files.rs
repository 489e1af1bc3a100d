//! Text files that code reads as prompts: how each language writes that, and what the text is.

use promptls_hosts::{Demand, Language, OtherFile, TextPath, find_in_text, find_with};

/// The paths of the text files that agents of a source read; with `+N` for a path that starts N
/// folders up from that of the source.
fn paths(language: Language, source: &str) -> Vec<String> {
    let finds = find_with(language, source, &[], &[]);
    assert!(finds.prompts.is_empty() && finds.unread.is_empty(), "{finds:?}");
    let path = |other: OtherFile| match other {
        OtherFile::Text(TextPath { end, up: Some(up) }) => Some(format!("+{up} {end}")),
        OtherFile::Text(TextPath { end, up: None }) => Some(end),
        OtherFile::Module(_) | OtherFile::ModuleOf(..) => None,
    };
    finds.elsewhere.into_iter().filter_map(|it| path(it.other)).collect()
}

#[track_caller]
fn check(language: Language, source: &str, value: &str, expected: &str) {
    let source = source.replace("VALUE", value);
    let expected = if expected.is_empty() { vec![] } else { vec![expected.to_owned()] };
    assert_eq!(paths(language, &source), expected, "{value}");
}

#[test]
fn files_loaded_by_python_are_found() {
    let source = "import json, os, pkgutil
from importlib import resources
from pathlib import Path
from google.adk.agents import LlmAgent
from .config import FOLDER
HERE = os.path.dirname(os.path.abspath(__file__))
PROMPTS = Path(__file__).resolve().parent / 'prompts'
with open(os.path.join(HERE, 'with.txt'), encoding='utf-8') as file:
    WITH = file.read()
def load(name, ending='.txt'):
    path = PROMPTS / f'{name}.txt'
    return path.read_text(encoding='utf-8').strip()
def fetch(file):
    with (PROMPTS / file).open() as f:
        return f.read()
a = LlmAgent(name='a', instruction=VALUE)
";
    for (value, expected) in [
        ("open('a.txt').read()", "a.txt"),
        ("open('a/b.txt', 'r', encoding='utf-8').read().strip()", "a/b.txt"),
        ("open(HERE + '/a.txt').read()", "+0 a.txt"),
        ("open(os.path.join(HERE, '..', 'a.txt')).read()", "+0 ../a.txt"),
        ("(PROMPTS / 'a.md').read_text()", "+0 prompts/a.md"),
        ("Path('a.txt').read_text(encoding='utf-8')", "a.txt"),
        ("Path(__file__).with_name('a.txt').read_text()", "+0 a.txt"),
        ("Path(__file__).parents[1].joinpath('p', 'a.txt').read_text()", "+1 p/a.txt"),
        ("Path(__file__).parent.parent.joinpath('a.txt').read_text()", "+1 a.txt"),
        ("(FOLDER / 'a.txt').read_text()", "a.txt"),
        ("resources.files('app.prompts').joinpath('a.txt').read_text()", "app/prompts/a.txt"),
        ("resources.files(__package__).joinpath('a.txt').read_text()", "+0 a.txt"),
        ("resources.read_text('app.prompts', 'a.txt')", "app/prompts/a.txt"),
        ("pkgutil.get_data('app', 'a.txt').decode('utf-8')", "app/a.txt"),
        ("WITH", "+0 with.txt"),
        ("load('a')", "+0 prompts/a.txt"),
        ("load(name='a')", "+0 prompts/a.txt"),
        ("fetch('a.txt')", "+0 prompts/a.txt"),
        ("open('a.txt').read().format(x=1)", "a.txt"),
        ("json.loads(open('a.json').read())['a']", "a.json"),
        // What the program decides, or changes in another way.
        ("open(f'{x}.txt').read()", ""),
        ("open(x).read()", ""),
        ("open('a.txt').read()[:9]", ""),
        ("open('a.txt').read() if x else load(y)", "a.txt"),
        ("open('a.txt').readline()", ""),
        ("render(open('a.txt').read())", ""),
        ("load(x)", ""),
        ("open('README').read()", ""),
    ] {
        check(Language::Python, source, value, expected);
    }
}

#[test]
fn files_loaded_by_scripts_are_found() {
    let source = "import { readFileSync } from 'node:fs';
import { readFile } from 'fs/promises';
import path from 'path';
import { fileURLToPath } from 'url';
import { LlmAgent } from '@google/adk';
const here = path.dirname(fileURLToPath(import.meta.url));
const load = (name: string) => readFileSync(path.join(here, 'prompts', `${name}.txt`), 'utf8');
function fetch(file: string): string {
  return readFileSync(path.join(__dirname, file), 'utf8').trim();
}
export const a = new LlmAgent({ name: 'a', instruction: VALUE });
";
    for (value, expected) in [
        ("readFileSync('a.txt', 'utf8')", "a.txt"),
        ("fs.readFileSync(path.join(__dirname, 'p/a.txt'), 'utf-8')", "+0 p/a.txt"),
        ("fs.readFileSync(path.resolve(process.cwd(), 'a.txt')).toString()", "a.txt"),
        (
            "readFileSync(new URL('./p/a.txt', import.meta.url), { encoding: 'utf8' })",
            "+0 ./p/a.txt",
        ),
        ("readFileSync(path.join(import.meta.dirname, 'a.txt'), 'utf8')", "+0 a.txt"),
        ("await readFile('a.txt', 'utf8')", "a.txt"),
        ("load('a')", "+0 prompts/a.txt"),
        ("fetch('a.txt').trim()", "+0 a.txt"),
        ("load(x)", ""),
        ("readFileSync(`${x}.txt`, 'utf8')", ""),
        ("JSON.parse(readFileSync('a.json', 'utf8')).a", "a.json"),
        ("Deno.readTextFileSync('a.txt')", "a.txt"),
        ("await Bun.file('a.txt').text()", "a.txt"),
        ("readFileSync('a.txt', 'utf8').slice(1)", ""),
    ] {
        check(Language::TypeScript, source, value, expected);
    }
}

#[test]
fn files_loaded_by_java_are_found() {
    let source = "package com.x;
import com.google.adk.agents.LlmAgent;
class App {
  static final String CONSTANT = Files.readString(Path.of(\"a.txt\"));
  static String load(String name) {
    return new String(App.class.getResourceAsStream(\"/p/\" + name + \".txt\").readAllBytes(), UTF_8);
  }
  LlmAgent a = LlmAgent.builder().name(\"a\").instruction(VALUE).build();
}
";
    for (value, expected) in [
        ("CONSTANT", "a.txt"),
        (
            "Files.readString(Paths.get(\"src\", \"a.txt\"), StandardCharsets.UTF_8).strip()",
            "src/a.txt",
        ),
        ("new String(Files.readAllBytes(Paths.get(\"a.txt\")))", "a.txt"),
        ("new String(getClass().getResourceAsStream(\"/a.txt\").readAllBytes())", "/a.txt"),
        ("load(\"a\")", "/p/a.txt"),
        ("load(x)", ""),
        ("Files.readString(path)", ""),
        ("Files.readString(Path.of(\"a.txt\")).substring(1)", ""),
    ] {
        check(Language::Java, source, value, expected);
    }
}

#[test]
fn files_loaded_by_kotlin_are_found() {
    let source = "package com.x
import com.google.adk.kt.agents.Instruction
import com.google.adk.kt.agents.LlmAgent
fun load(name: String): String = object {}.javaClass.getResource(\"/p/$name.txt\")!!.readText()
val a = LlmAgent(name = \"a\", instruction = Instruction(VALUE))
";
    for (value, expected) in [
        ("File(\"a.txt\").readText()", "a.txt"),
        ("File(\"a.txt\").readText(Charsets.UTF_8).trim()", "a.txt"),
        ("Path(\"a.txt\").readText()", "a.txt"),
        (
            "javaClass.getResourceAsStream(\"/a.txt\")!!.bufferedReader().use { it.readText() }",
            "/a.txt",
        ),
        ("load(\"a\")", "/p/a.txt"),
        ("load(x)", ""),
        ("File(x).readText()", ""),
    ] {
        check(Language::Kotlin, source, value, expected);
    }
}

#[test]
fn files_loaded_by_go_are_found() {
    let source = "package main
import (
	\"os\"
	\"path/filepath\"
	\"strings\"
	\"google.golang.org/adk/agent/llmagent\"
)
//go:embed p/a.txt
var embedded string
//go:embed p/b.txt
var bytes []byte
//go:embed p/*.txt
var all embed.FS
func load(name string) string {
	text, err := os.ReadFile(\"p/\" + name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}
func main() {
	read, _ := os.ReadFile(filepath.Join(\"p\", \"c.txt\"))
	llmagent.New(llmagent.Config{Name: \"a\", Instruction: VALUE})
}
";
    for (value, expected) in [
        ("embedded", "+0 p/a.txt"),
        ("string(bytes)", "+0 p/b.txt"),
        ("string(read)", "p/c.txt"),
        ("load(\"d.txt\")", "p/d.txt"),
        ("load(x)", ""),
        ("all", ""),
    ] {
        check(Language::Go, source, value, expected);
    }
}

#[test]
fn transformations_of_the_code_are_applied_to_the_file() {
    for (value, file, expected) in [
        ("open('a.txt').read()", "a\r\nb\n", "a\nb\n"),
        ("open('a.txt').read().strip()", " a \n", "a"),
        ("open('a.txt').read().replace('X', '{y}')", "X X", "{y} {y}"),
        ("open('a.txt').read().format(x=1)", "{{a}} {x}", "{a} \u{fffc}"),
        ("open('a.txt').read()", "", ""),
    ] {
        let source = format!(
            "from google.adk.agents import LlmAgent\na = LlmAgent(name='n', instruction={value})\n"
        );
        let finds = find_with(Language::Python, &source, &[], &[]);
        let [elsewhere] = &finds.elsewhere[..] else { panic!("one file: {value}") };
        let finds = find_in_text(file, std::slice::from_ref(&elsewhere.demand));
        let [prompt] = &finds.prompts[..] else { panic!("one prompt: {value}") };
        assert_eq!(prompt.text.text(), expected, "{value}");
        assert_eq!(prompt.agent.as_deref(), Some("n"));
    }
}

#[test]
fn a_file_that_is_part_of_a_prompt_is_one_only_with_a_placeholder() {
    let source = "from google.adk.agents import LlmAgent
a = LlmAgent(name='n', instruction='Hi {x} ' + open('a.txt').read())
";
    let finds = find_with(Language::Python, source, &[], &[]);
    assert_eq!(finds.prompts[0].text.text(), "Hi {x} \u{fffc}");
    let [elsewhere] = &finds.elsewhere[..] else { panic!("one file") };
    let count =
        |text: &str| find_in_text(text, std::slice::from_ref(&elsewhere.demand)).prompts.len();
    assert_eq!((count("Wish {luck}"), count("Wish luck")), (1, 0));
}

#[test]
fn missing_files_and_modules_are_listed_as_not_read() {
    let source = "from google.adk.agents import LlmAgent
from lib import P
a = LlmAgent(name='a', instruction=open('a.txt').read())
b = LlmAgent(name='b', instruction=P)
";
    let finds = find_with(Language::Python, source, &[], &[]);
    assert!(finds.computed.is_empty());
    let missing = |other: &OtherFile, name: &str| Demand::Missing(other.clone(), name.to_owned());
    let all = finds.elsewhere.iter().map(|it| missing(&it.other, it.demand.name()));
    let again = find_with(Language::Python, source, &[], &all.collect::<Vec<_>>());
    let reasons: Vec<&str> = again.computed.iter().map(|it| &*it.unread.reason).collect();
    assert_eq!(
        reasons,
        [
            "the text of `instruction` comes from `open(\"a.txt\").read()`, so it is not checked",
            "the text of `instruction` comes from `P`, so it is not checked",
        ]
        .map(|reason| reason.replace('"', "'"))
    );
    assert_eq!(again.elsewhere, finds.elsewhere);
}

#[test]
fn missing_and_computed_names_of_a_module_are_listed_as_not_read() {
    let agent = "from google.adk.agents import LlmAgent
from .texts import PLAN, GONE, make
a = LlmAgent(name='a', instruction=PLAN)
b = LlmAgent(name='b', instruction=GONE)
c = LlmAgent(name='c', instruction=make())
";
    let finds = find_with(Language::Python, agent, &[], &[]);
    let demands: Vec<Demand> = finds.elsewhere.into_iter().map(|it| it.demand).collect();
    let texts = "PLAN = fetch('plan')\ndef make():\n    return fetch('make')\n";
    let there = find_with(Language::Python, texts, &[], &demands);
    let reasons: Vec<&str> = there.computed.iter().map(|it| &*it.unread.reason).collect();
    assert_eq!(
        reasons,
        [
            "the text of `PLAN` comes from `fetch(…)`, so it is not checked",
            "the text of `make` comes from `fetch(…)`, so it is not checked",
        ]
    );
    let unmet: Vec<&str> = there.unmet.iter().map(|demand| &*demand.name).collect();
    assert_eq!(unmet, ["GONE"]);
}

#[test]
fn a_file_that_the_code_cannot_format_is_listed_as_not_read() {
    let source = "from google.adk.agents import LlmAgent
a = LlmAgent(name='n', instruction=open('a.txt').read().format(x=1))
";
    let finds = find_with(Language::Python, source, &[], &[]);
    let [elsewhere] = &finds.elsewhere[..] else { panic!("one file") };
    let found = |text: &str| {
        let finds = find_in_text(text, std::slice::from_ref(&elsewhere.demand));
        (finds.prompts.len(), finds.computed.len())
    };
    assert_eq!((found("Hi {{name}}"), found("Hi {name")), ((1, 0), (0, 1)));
}
