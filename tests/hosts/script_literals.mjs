#!/usr/bin/env node
// Compares promptls's string literals in npm packages with those of TypeScript.
//
//     node script_literals.mjs PATH_OF_THE_EXAMPLE_literals EVERY FOLDER...
//
// The .ts, .tsx, .js, .jsx, .mts, .cts, .mjs and .cjs files in the folders, or each EVERY-th of
// them, are read. They are parsed by the package `typescript`, which is resolved from the current
// folder. promptls ignores literals in attributes of JSX, tagged templates except `String.raw`, and
// literals within a template, whose code is a hole. Files that TypeScript rejects, or that are not
// UTF-8, are skipped. Exits with 1 if anything differs.

import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const ts = createRequire(path.join(process.cwd(), 'here.js'))('typescript');
const [example, every, ...folders] = process.argv.slice(2);
const MOST_BYTES = 2 << 20;

/** The literals of a file: start and end in code units, the text, and the number of its holes. */
function literals(file) {
  const found = [];
  const refuses = text => !text.isWellFormed();
  const visit = node => {
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) return;
    if (ts.isTaggedTemplateExpression(node)) {
      const start = node.getStart(file);
      if (node.tag.getText(file) === 'String.raw' && file.text.startsWith('String.raw`', start)) {
        found.push([start, node.end, raw(node.template)]);
      } else {
        visit(node.tag);
      }
      return;
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      // Names of import attributes are literals, too.
      found.push([node.getStart(file), node.end, refuses(node.text) ? null : [node.text, 0]]);
      return;
    }
    if (ts.isTemplateExpression(node) || ts.isTemplateLiteralTypeNode(node)) {
      const parts = [node.head, ...node.templateSpans.map(span => span.literal)].map(it => it.text);
      const value = parts.some(refuses) ? null : [parts.join('\ufffc'), parts.length - 1];
      found.push([node.getStart(file), node.end, value]);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The source form of a template. */
function raw(template) {
  const parts = template.head
    ? [template.head, ...template.templateSpans.map(span => span.literal)]
    : [template];
  return [parts.map(part => part.rawText).join('\ufffc'), parts.length - 1];
}

function* files(folder) {
  for (const entry of fs.readdirSync(folder, {withFileTypes: true, recursive: true})) {
    const name = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.([mc]?[jt]s|[jt]sx)$/.test(name)) yield name;
  }
}

const expected = new Map();
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const names = [...new Set(folders.flatMap(folder => [...files(folder)]))].sort();
for (const name of names.filter((_, index) => index % Number(every) === 0)) {
  let text;
  try {
    text = decoder.decode(fs.readFileSync(name));
  } catch {
    continue;
  }
  if (text.startsWith('\ufeff') || Buffer.byteLength(text) > MOST_BYTES) continue;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length > 0) continue;
  const bytes = new Uint32Array(text.length + 1);
  for (let at = 0, offset = 0; at < text.length; ) {
    const char = text.codePointAt(at);
    const units = char > 0xffff ? 2 : 1;
    offset += char < 0x80 ? 1 : char < 0x800 ? 2 : units + 2;
    at += units;
    bytes[at] = offset;
  }
  expected.set(name, literals(file).map(([start, end, value]) => [bytes[start], bytes[end], value]));
}

const input = [...expected.keys()].join('\n');
const output = spawnSync(example, {input, encoding: 'utf-8', maxBuffer: 1 << 30});
const found = new Map();
let current;
for (const line of output.stdout.split('\n').filter(Boolean).map(line => JSON.parse(line))) {
  if (typeof line === 'string') found.set(line, (current = new Map()));
  else current.set(`${line[0]}..${line[1]}`, line[2]);
}
let count = 0;
const wrong = [];
for (const [name, theirs] of expected) {
  const ours = found.get(name) ?? new Map();
  for (const [start, end, value] of theirs) {
    count += 1;
    const place = `${start}..${end}`;
    if (!ours.has(place)) wrong.push(`${name}: ${place} is a literal to TypeScript alone`);
    else if (JSON.stringify(ours.get(place)) !== JSON.stringify(value)) {
      wrong.push(`${name}: ${place}: ${JSON.stringify(ours.get(place))} should be ${JSON.stringify(value)}`);
    }
    ours.delete(place);
  }
  for (const place of ours.keys()) wrong.push(`${name}: ${place} is a literal to us alone`);
}
console.log(wrong.slice(0, 50).join('\n'));
console.log(`${count} literals in ${expected.size} files, ${wrong.length} differ`);
process.exit(wrong.length > 0 || count === 0 ? 1 : 0);
