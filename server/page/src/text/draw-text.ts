/**
 * Draws pieces of text so that every character is visible.
 *
 * Decorations come from style sheets, so that the text of the nodes is exactly the text. Copying,
 * searching and counting need no special handling.
 */

import type { Run } from '../host/protocol';
import { element } from '../widgets/dom';
import { flagged } from './invisible-characters';

/** The appearance of white space. */
export interface DrawOptions {
    showsWhitespace: boolean;
}

const whitespace = / +|\t|\r?\n/g;

/** Appends a text. */
export function appendText(parent: Node, text: string, drawing: DrawOptions): void {
    let at = 0;
    for (const { start, end, label, name } of flagged(text)) {
        appendPlain(parent, text.slice(at, start), drawing);
        const chip = element('span.chip', { 'data-label': label, 'data-tip': name }, text.slice(start, end));
        parent.appendChild(chip);
        at = end;
    }
    appendPlain(parent, text.slice(at), drawing);
}

function appendPlain(parent: Node, text: string, { showsWhitespace }: DrawOptions): void {
    if (text === '') {
        return;
    }
    if (!showsWhitespace) {
        parent.appendChild(document.createTextNode(text));
        return;
    }
    let at = 0;
    for (const { 0: space, index } of text.matchAll(whitespace)) {
        if (index > at) {
            parent.appendChild(document.createTextNode(text.slice(at, index)));
        }
        const kind = space.startsWith(' ') ? 'space' : space === '\t' ? 'tab' : space === '\n' ? 'lf' : 'crlf';
        parent.appendChild(element('span', { class: `ws ws-${kind}` }, space));
        at = index + space.length;
    }
    if (at < text.length) {
        parent.appendChild(document.createTextNode(text.slice(at)));
    }
}

/** The element of the run with this index. `isEmpty`: it contains no text. */
export function runElement({ kind, path }: Run, index: number, tint: number | undefined, isEmpty: boolean): HTMLElement {
    const made = element('span', { 'data-run': index, class: `run ${kind}` });
    if (tint !== undefined) {
        made.classList.add(`tint-${tint}`);
    }
    if (isEmpty && isNamed(kind)) {
        // Drawn by the style sheet, so that the text can be copied as it is sent.
        made.dataset['name'] = path ?? '?';
    }
    return made;
}

/** Appends the element of a run; marks it if it is adjacent to the previous one. */
export function appendRun(parent: Node, run: HTMLElement): void {
    const before = parent.lastChild;
    if (before instanceof HTMLElement && before.classList.contains('run')) {
        run.classList.add('next');
    }
    parent.appendChild(run);
}

/** The appearance of a run's element, besides its text. */
export function lookOf({ kind, path, output: [start, end] }: Run, tint: number | undefined): string {
    return `${kind} ${tint ?? ''} ${start === end || isNamed(kind) ? path : ''}`;
}

/** Whether a name is displayed instead of a missing value. */
export function isNamed(kind: Run['kind']): boolean {
    return kind === 'missing' || kind === 'runtime';
}

/** A short text, such as a name or a message, with invisible characters flagged. */
export function shortText(text: string): DocumentFragment {
    const fragment = document.createDocumentFragment();
    appendText(fragment, text, { showsWhitespace: false });
    return fragment;
}
