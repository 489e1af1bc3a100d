/**
 * The page of the preview: draws what the server said, and reports clicks.
 *
 * Values come from files that somebody else may have written, so they are only ever text.
 */

import type { Position, Range } from 'vscode-languageclient';
import type { Run } from '../protocol';
import { counted } from '../words';
import type { FromPage, PageState, Shown, ToPage } from './messages';

const vscode = acquireVsCodeApi<PageState>();
const say = (message: FromPage) => vscode.postMessage(message);

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const bar = element('bar');
const caseSelect = element<HTMLSelectElement>('case');
const createButton = element('create');
const origins = element('origins');
const stats = element('stats');
const errorBox = element('error');
const noteBox = element('note');
const text = element('text');

/** How many files have a tint of their own; `page.css` has a class for each. */
const tints = 5;

let preview: Shown | undefined;
/** The node of each run of the map. */
let nodes: Node[] = [];

function show(next: Shown): void {
    const isOther = preview?.uri !== next.uri;
    const scroll = isOther ? (restored(next.uri) ?? 0) : scrollY;
    preview = next;

    showCases(next);
    tell(errorBox, next.error?.message ?? '');
    tell(noteBox, next.note ?? (next.isCut ? 'The text is very long; only its beginning is shown.' : ''));
    stats.textContent =
        `${next.stats.words.toLocaleString()} words · ${next.stats.characters.toLocaleString()} characters`;
    stats.title = `${next.stats.lines.toLocaleString()} lines, ${next.stats.bytes.toLocaleString()} bytes`;

    const tintOf = tintsByFile(next);
    showOrigins(next, tintOf);
    nodes = next.map.map((run, index) => draw(next, run, index, tintOf));
    text.replaceChildren(...nodes);
    bar.hidden = false;
    scrollTo({ top: scroll, behavior: 'instant' });
    vscode.setState({ uri: next.uri, scroll });
}

function nothing(message: string): void {
    preview = undefined;
    nodes = [];
    bar.hidden = true;
    tell(errorBox, '');
    tell(noteBox, message);
    text.replaceChildren();
}

function tell(box: HTMLElement, message: string): void {
    box.textContent = message;
    box.hidden = message === '';
}

function showCases({ cases, case: current }: Shown): void {
    const options = cases.map((it) => {
        const isCurrent = it.name === current;
        // The problems of the current one are on the page, and would make the control too wide.
        const words = isCurrent || it.errors + it.warnings === 0 ? it.name : `${it.name} – ${counted(it)}`;
        return new Option(words, it.name, false, isCurrent);
    });
    caseSelect.replaceChildren(...options);
    caseSelect.hidden = cases.length === 0;
    createButton.hidden = cases.length > 0;
}

/** The inputs of the case come first, then the other files in the order of their values. */
function tintsByFile({ map, cases, case: current }: Shown): Map<string, number> {
    const first = cases.find((it) => it.name === current)?.uri;
    const uris = new Set(map.flatMap((run) => run.value?.uri ?? []));
    const ordered = [...uris].sort((a, b) => Number(b === first) - Number(a === first));
    // The first tint is kept for the inputs, so that colours mean the same in every case.
    const offset = first !== undefined && uris.has(first) ? 0 : 1;
    return new Map(ordered.map((uri, index) => [uri, (index + offset) % tints]));
}

function showOrigins({ map, files }: Shown, tintOf: Map<string, number>): void {
    const buttons = [...tintOf].map(([uri, tint]) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = `origin tint-${tint}`;
        button.textContent = files[uri] ?? uri;
        button.title = `Open ${files[uri] ?? uri}`;
        const location = map.find((run) => run.value?.uri === uri)?.value;
        button.addEventListener('click', () => location && say({ type: 'value', location }));
        return button;
    });
    origins.replaceChildren(...buttons);
}

function draw(shown: Shown, run: Run, index: number, tintOf: Map<string, number>): Node {
    const piece = shown.text.slice(...run.output);
    if (run.kind === 'literal') {
        return document.createTextNode(piece);
    }
    const span = document.createElement('span');
    span.dataset['run'] = String(index);
    span.className = run.kind;
    span.textContent = piece;
    span.title = describe(shown, run);
    const tint = run.value && tintOf.get(run.value.uri);
    if (tint !== undefined) {
        span.classList.add(`tint-${tint}`);
    }
    if (run.kind === 'missing' && piece === '') {
        // Drawn by the style sheet, so that the text can be copied as it is sent.
        span.dataset['name'] = run.path ?? '?';
    }
    return span;
}

/** What the pointer says over a piece. */
function describe({ files }: Shown, run: Run): string {
    const via = (run.via ?? []).map((step) =>
        'fragment' in step ? `fragment ${step.fragment}` : `${step.each}, item ${step.item + 1}`,
    );
    const name = run.path ?? '';
    switch (run.kind) {
        case 'missing':
            return `${name} has no value in this case`;
        case 'runtime':
            return `${name} is supplied at run time`;
        case 'escape':
            return 'Literal braces, by an escape';
        default: {
            const lines = [[name, ...via].filter(Boolean).join(' · ')];
            if (run.value !== undefined) {
                lines.push(`${files[run.value.uri]}, line ${run.value.range.start.line + 1} (Alt+click)`);
            }
            return lines.filter(Boolean).join('\n');
        }
    }
}

/** Lights up what the placeholder at the cursor became. */
function showCursor(position: Position | null, reveal: boolean): void {
    for (const lit of text.querySelectorAll('.lit')) {
        lit.classList.remove('lit');
    }
    if (preview === undefined || position === null) {
        return;
    }
    const at = position;
    const here = preview.map.flatMap((run, index) => (holds(run.source, at) ? [index] : []));
    const lit = here.filter((index) => preview?.map[index]?.kind !== 'literal');
    for (const index of lit) {
        (nodes[index] as HTMLElement).classList.add('lit');
    }
    const target = lit[0] ?? here[0];
    if (reveal && target !== undefined) {
        bringIntoView(preview, target, at);
    }
}

function bringIntoView({ map, text: all }: Shown, index: number, position: Position): void {
    const run = map[index];
    const node = nodes[index];
    if (run === undefined || node === undefined) {
        return;
    }
    const place = document.createRange();
    if (node instanceof Text) {
        // Literal text is the same in the prompt, so the cursor has a place in it.
        place.setStart(node, Math.min(offsetIn(all.slice(...run.output), run.source.start, position), node.length));
    } else {
        place.selectNode(node);
    }
    const { top, bottom } = place.getBoundingClientRect();
    const head = bar.offsetHeight;
    if ((top !== 0 || bottom !== 0) && (top < head || bottom > innerHeight)) {
        scrollBy({ top: top - head - (innerHeight - head) / 3, behavior: 'instant' });
    }
}

/** Where a position is in a text that starts at `start`, in UTF-16 units. */
function offsetIn(piece: string, start: Position, position: Position): number {
    let lineStart = 0;
    for (let line = start.line; line < position.line; line++) {
        const newline = /\r\n|\r|\n/g;
        newline.lastIndex = lineStart;
        if (newline.exec(piece) === null) {
            return piece.length;
        }
        lineStart = newline.lastIndex;
    }
    return lineStart + position.character - (position.line === start.line ? start.character : 0);
}

function holds({ start, end }: Range, at: Position): boolean {
    return !isBefore(at, start) && !isBefore(end, at);
}

function isBefore(a: Position, b: Position): boolean {
    return a.line < b.line || (a.line === b.line && a.character < b.character);
}

function restored(uri: string): number | undefined {
    const state = vscode.getState();
    return state?.uri === uri ? state.scroll : undefined;
}

text.addEventListener('click', (event) => {
    const index = (event.target as HTMLElement).closest<HTMLElement>('[data-run]')?.dataset['run'];
    const run = preview?.map[Number(index)];
    // Somebody who selects text to copy it does not want to be taken elsewhere.
    if (run === undefined || getSelection()?.isCollapsed === false) {
        return;
    }
    if ((event.ctrlKey || event.metaKey || event.altKey) && run.value !== undefined) {
        say({ type: 'value', location: run.value });
    } else {
        say({ type: 'source', range: run.source });
    }
});
caseSelect.addEventListener('change', () => say({ type: 'case', name: caseSelect.value }));
createButton.addEventListener('click', () => say({ type: 'createInputs' }));
addEventListener('scroll', () => preview && vscode.setState({ uri: preview.uri, scroll: scrollY }));
addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    switch (data.type) {
        case 'show':
            return show(data.preview);
        case 'nothing':
            return nothing(data.message);
        case 'cursor':
            return showCursor(data.position, data.reveal);
    }
});
say({ type: 'ready' });
