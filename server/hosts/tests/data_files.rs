//! Values of data files that code loads and uses as prompts.

use expect_test::expect;
use promptls_hosts::{Demand, Language, OtherFile, TextPath, find_all_in_data, find_with};

/// The values that agents of a source use: their files, and their keys with `/` between them.
fn values(language: Language, source: &str) -> Vec<String> {
    let finds = find_with(language, source, &[], &[]);
    assert!(finds.prompts.is_empty() && finds.unread.is_empty(), "{finds:?}");
    let value = |other: OtherFile, demand: &Demand| {
        let OtherFile::Text(TextPath { end, up }) = other else { return None };
        let up = up.map_or_else(String::new, |up| format!("+{up} "));
        let keys: Vec<&str> = demand.text()?.keys().collect();
        Some(format!("{up}{end}: {}", keys.join("/")))
    };
    finds.elsewhere.into_iter().filter_map(|it| value(it.other, &it.demand)).collect()
}

#[test]
fn python_loads_values_of_data() {
    const SOURCE: &str = "import json, tomllib, yaml
from pathlib import Path
from google.adk.agents import LlmAgent
HERE = Path(__file__).parent
NAME = 'named.yaml'
with open(HERE / 'with.yaml', encoding='utf-8') as file:
    WITH = yaml.safe_load(file)
with (HERE / 'bytes.toml').open('rb') as file:
    BYTES = tomllib.load(file)
OPEN = json.load(open('open.json'))
TEXT = (HERE / 'text.json').read_text()
PARSED = json.loads(TEXT)
LOADED = yaml.load(Path(NAME).read_text(), Loader=yaml.SafeLoader)
PART = WITH['agents']
def load(name):
    with open(HERE / f'{name}.yaml') as file:
        return yaml.safe_load(file)
def config():
    return load('inner')
HELPED = load('helped')
CONFIG = config()
CHANGED = yaml.safe_load(open('changed.yaml'))
CHANGED['a'] = 'x'
COMPUTED = yaml.safe_load(download())
KEY = 'k'
LlmAgent(instruction=VALUE)
";
    for (value, expected) in [
        ("WITH['a']", "+0 with.yaml: a"),
        ("WITH[\"a\"]['b c']", "+0 with.yaml: a/b c"),
        ("WITH['a'].format(x=1)", "+0 with.yaml: a"),
        ("BYTES['a']", "+0 bytes.toml: a"),
        ("OPEN['a']", "open.json: a"),
        ("PARSED['a']", "+0 text.json: a"),
        ("LOADED['a']", "named.yaml: a"),
        ("PART['a']['b']", "+0 with.yaml: agents/a/b"),
        ("WITH.get('a')", "+0 with.yaml: a"),
        ("WITH.get('a', {})['b'].strip()", "+0 with.yaml: a/b"),
        ("WITH['a'].get('b')", "+0 with.yaml: a/b"),
        ("WITH.get('a', {}).get('b')", "+0 with.yaml: a/b"),
        ("load('called')['a']", "+0 called.yaml: a"),
        ("config()['a']['b'].strip()", "+0 inner.yaml: a/b"),
        ("yaml.safe_load(open('open.yaml'))['a']", "open.yaml: a"),
        ("HELPED['a']", "+0 helped.yaml: a"),
        ("CONFIG['a']", "+0 inner.yaml: a"),
        ("WITH['a'][0]['b']", "+0 with.yaml: a/0/b"),
        ("WITH.a", ""),
        ("WITH", ""),
        ("WITH[key]", "+0 with.yaml: *"),
        ("WITH[key]['b']", "+0 with.yaml: */b"),
        ("WITH[KEY]['b']", "+0 with.yaml: k/b"),
        ("WITH.get(key)", ""),
        ("WITH.get('a', {}).get(key)", ""),
        ("load('called')[key]", ""),
        ("CHANGED['a']", ""),
        ("COMPUTED['a']", ""),
    ] {
        let found = values(Language::Python, &SOURCE.replace("VALUE", value));
        assert_eq!(found.join("; "), expected, "{value}");
    }
}

#[test]
fn scripts_load_values_of_data() {
    const SOURCE: &str = "import { LlmAgent } from '@google/adk';
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import imported from './imported.json';
import { plan } from '../named.json' with { type: 'json' };
const parsed = JSON.parse(readFileSync(new URL('./parsed.json', import.meta.url), 'utf8'));
const loaded = yaml.load(readFileSync('loaded.yaml', 'utf8')) as Config;
new LlmAgent({ name: 'a', instruction: VALUE });
";
    for (value, expected) in [
        ("parsed.a.b", "+0 ./parsed.json: a/b"),
        ("parsed['a']", "+0 ./parsed.json: a"),
        ("loaded.a", "loaded.yaml: a"),
        ("imported.a.b", "+0 ./imported.json: a/b"),
        ("plan.a", "+0 ../named.json: plan/a"),
        ("plan", "+0 ../named.json: plan"),
        ("parsed.a[1].b", "+0 ./parsed.json: a/1/b"),
    ] {
        let found = values(Language::TypeScript, &SOURCE.replace("VALUE", value));
        assert_eq!(found.join("; "), expected, "{value}");
    }
}

#[test]
fn values_that_code_uses_are_prompts_of_their_file() {
    let code = "import yaml\nfrom google.adk.agents import LlmAgent\n\
        C = yaml.safe_load(open('c.yaml'))\n\
        LlmAgent(name='a', instruction=C['a']['text'])\n\
        LlmAgent(name='b', instruction=C['b'].strip())\n\
        LlmAgent(name='c', instruction=f\"{C['part']} {C['tail']} {x}\")\n\
        LlmAgent(name='d', instruction=C['gone'])\n\
        LlmAgent(name='e', instruction=C['a'])\n";
    let finds = find_with(Language::Python, code, &[], &[]);
    let demands: Vec<Demand> = finds.elsewhere.iter().map(|it| it.demand.clone()).collect();
    let data = "a: &a\n  text: |\n    Plan {x}.\n    Now.\nb: ' {y} '\npart: 'Part {z}'\ntail: tail\n\
        other: '{no}'\n";
    let finds = find_all_in_data(Language::Yaml, data, None, &[], &demands);
    let shown: String = finds
        .prompts
        .iter()
        .map(|it| format!("{} of {:?}: {:?}\n", it.name, it.agent, it.text.text()))
        .collect();
    expect![[r#"
        a.text of Some("a"): "Plan {x}.\nNow.\n"
        b of Some("b"): "{y}"
        part of Some("c"): "Part {z}"
    "#]]
    .assert_eq(&shown);
    let parts: Vec<&str> = finds.parts.iter().map(|it| &*it.text).collect();
    assert_eq!(parts, ["Part {z}", "tail"]);
    let unmet: Vec<&str> = finds.unmet.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(unmet, ["gone", "a"]);
    let broken = find_all_in_data(Language::Yaml, "a: [", None, &[], &demands);
    assert_eq!(broken.unread.len(), 1);
    let json = find_all_in_data(
        Language::Json,
        r#"{"a": {"text": "P\u006can {x}"}}"#,
        None,
        &[],
        &demands,
    );
    assert_eq!(json.prompts[0].text.text(), "Plan {x}");
}
