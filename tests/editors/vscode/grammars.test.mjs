// The grammars mark the same pieces as the lexers, in the example prompts and in all vectors.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const { PROMPTLS_TOKENS, PROMPTLS_CODE_SERVER } = process.env;

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
const markdown = path.join(
    path.dirname(PROMPTLS_CODE_SERVER),
    'app/node_modules/code-server/lib/vscode/extensions/markdown-basics/syntaxes/markdown.tmLanguage.json',
);
const registry = new textmate.Registry({
    onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    async loadGrammar(scope) {
        const ours = /^text\.prompt\.(\w+)$/.exec(scope);
        const file = ours && path.join(root, 'syntax/grammars/textmate', `${ours[1]}.tmLanguage.json`);
        const found = file ?? (scope === 'text.html.markdown' ? markdown : undefined);
        return found && textmate.parseRawGrammar(fs.readFileSync(found, 'utf8'), found);
    },
});

/** The lexer's kind for each of the extension's scopes. */
const kinds = [
    [/^meta\.placeholder\.prompt$/, 'placeholder'],
    [/^meta\.block\.prompt$/, 'block'],
    [/^constant\.character\.escape\.prompt$/, 'escape'],
];

/** The pieces of a line, as [start, end, kind]; neighbours of one kind are one piece. */
function marked(tokens) {
    const pieces = tokens.flatMap(({ startIndex, endIndex, scopes }) => {
        const kind = kinds.find(([scope]) => scopes.some((it) => scope.test(it)))?.[1];
        return kind ? [[startIndex, endIndex, kind]] : [];
    });
    return joined(pieces);
}

function joined(pieces) {
    return pieces.reduce((all, [start, end, kind]) => {
        const last = all.at(-1);
        if (last && last[1] === start && last[2] === kind) {
            last[1] = end;
        } else {
            all.push([start, end, kind]);
        }
        return all;
    }, []);
}

const prompts = fs.readFileSync(PROMPTLS_TOKENS, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
assert.ok(prompts.length > 100, 'there are prompts to compare');

for (const dialect of new Set(prompts.map((prompt) => prompt.dialect))) {
    test(`the grammar of ${dialect} marks what its lexer finds`, async () => {
        const grammar = await registry.loadGrammar(`text.prompt.${dialect}`);
        for (const { name, text, lines } of prompts.filter((prompt) => prompt.dialect === dialect)) {
            let stack = textmate.INITIAL;
            for (const [number, line] of text.split(/\r\n|\r|\n/).entries()) {
                const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
                stack = ruleStack;
                // A grammar sees one line at a time; pieces that span lines are left to the server.
                if (lines[number] !== null) {
                    assert.deepEqual(marked(tokens), joined(lines[number]), `${name}, line ${number + 1}: ${line}`);
                }
            }
        }
    });
}
