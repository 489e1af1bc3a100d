/**
 * A text as Markdown, piece by piece, with the runs of its words.
 *
 * Unchanged pieces keep their nodes. Positions in a piece count from its start, so that changes
 * before it do not affect it. Values are in the HTML as text only, and DOMPurify allows only plain
 * elements: no address becomes a link, and no picture is loaded.
 */

import DOMPurify from 'dompurify';
import type { Run } from '../host/protocol';
import { type BlockRun, firstBehind, pieceAt, runsIn } from '../text/blocks';
import { appendRun, appendText, isNamed, lookOf, runElement } from '../text/draw-text';
import type { MappedView } from '../text/mapped-view';
import { element, setChildren } from '../widgets/dom';
import { reuseByKey } from '../widgets/keyed-nodes';
import { type MarkdownPiece, piecesOf } from './markdown-html';
import { markMissing } from './missing-values';

interface Drawn {
    key: string;
    element: HTMLElement;
    /** The start in the text, and the runs; both may change while the piece is kept. */
    start: number;
    runs: readonly BlockRun[];
    /** The positions of its text nodes, counted from its start. */
    places: WeakMap<Node, number>;
}

const allowed = {
    ALLOWED_TAGS: [
        ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
        ...['em', 'strong', 's', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    ALLOWED_ATTR: ['class', 'data-tip', 'data-from', 'data-to', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
} as const;

export class MarkdownView implements MappedView {
    readonly element = element('div.markdown');
    text = '';
    map: readonly Run[] = [];
    private marker = '';
    private tintOf: (run: Run) => number | undefined = () => undefined;
    private pieces: readonly MarkdownPiece[] = [];
    private drawn: Drawn[] = [];
    private readonly drawnOf = new WeakMap<Element, Drawn>();

    /** Shows a text up to `end`; returns the number of drawn pieces. */
    show(resolved: string, resolvedMap: readonly Run[], end: number, tintOf: (run: Run) => number | undefined): number {
        const cut = end < resolved.length ? { text: resolved.slice(0, end), map: resolvedMap.map((run) => upTo(run, end)) } : { text: resolved, map: resolvedMap };
        const { text, map, marker } = markMissing(cut.text, cut.map);
        if (text !== this.text) {
            this.pieces = piecesOf(text);
        }
        Object.assign(this, { text, map, marker, tintOf });

        let next = 0;
        const looks: string[] = [];
        const runs = this.pieces.map(({ start, end: pieceEnd }, index) => {
            const found = runsIn(map, [start, pieceEnd], index === this.pieces.length - 1, (run) => lookOf(run, tintOf(run)), next);
            next = found.next;
            looks.push(found.looks);
            return found.runs;
        });
        let count = 0;
        const keys = this.pieces.map(({ html }, index) => `${looks[index]}\0${html}`);
        this.drawn = reuseByKey(this.drawn, keys, (key, index) => {
            count++;
            return this.draw(key, this.pieces[index] as MarkdownPiece, runs[index] ?? []);
        });
        for (const [index, drawn] of this.drawn.entries()) {
            drawn.start = this.pieces[index]?.start ?? 0;
            drawn.runs = runs[index] ?? [];
        }
        setChildren(this.element, this.drawn.map((it) => it.element));
        return count;
    }

    get range(): readonly [number, number] {
        return [0, this.text.length];
    }

    private draw(key: string, { html, start }: MarkdownPiece, runs: readonly BlockRun[]): Drawn {
        const drawn: Drawn = { key, element: element('div.markdown-piece'), start, runs, places: new WeakMap() };
        const fragment = DOMPurify.sanitize(html, { ...allowed, ALLOWED_TAGS: [...allowed.ALLOWED_TAGS], ALLOWED_ATTR: [...allowed.ALLOWED_ATTR] });
        // Words without a position are drawn as they are, with invisible characters flagged.
        for (const text of textsOf(fragment)) {
            if (!text.parentElement?.dataset['from']) {
                const plain = document.createDocumentFragment();
                appendText(plain, text.data.replaceAll(this.marker, ''), { showsWhitespace: false });
                text.replaceWith(plain);
            }
        }
        for (const tipped of fragment.querySelectorAll<HTMLElement>('[data-tip]')) {
            const tip = tipped.dataset['tip'] ?? '';
            tipped.dataset['tip'] = tip.replaceAll(this.marker, '…').replaceAll(encodeURIComponent(this.marker), '…');
        }
        fragment.querySelectorAll<HTMLElement>('span[data-from]').forEach(joinNext);
        const seen = new Set<number>();
        for (const span of fragment.querySelectorAll<HTMLElement>('span[data-from]')) {
            span.replaceWith(this.words(span, drawn, seen));
        }
        drawn.element.append(fragment);
        this.drawnOf.set(drawn.element, drawn);
        return drawn;
    }

    /** Words with a known position, with elements around the parts of runs. */
    private words({ textContent, dataset }: HTMLElement, { runs, places }: Drawn, seen: Set<number>): DocumentFragment {
        const text = textContent ?? '';
        const from = Number(dataset['from']);
        const isExact = dataset['to'] === undefined;
        const to = isExact ? from + text.length : Number(dataset['to']);
        const made = document.createDocumentFragment();
        let at = from;
        const append = (parent: Node, end: number) => {
            const piece = document.createDocumentFragment();
            appendText(piece, isExact ? text.slice(at - from, end - from) : text, { showsWhitespace: false });
            for (const node of textsOf(piece)) {
                places.set(node, at);
                at += isExact ? node.length : 0;
            }
            parent.appendChild(piece);
            at = end;
        };
        for (let index = firstBehind(runs, from, ({ start, end }) => [start, end]); index < runs.length; index++) {
            const run = runs[index] as BlockRun;
            const [start, end] = [Math.max(run.start, from), Math.min(run.end, to)];
            const isEmpty = run.start === run.end;
            if (isEmpty ? run.start > to : run.start >= to) {
                break;
            }
            // Words whose source form differs belong to a run only if all of them do.
            const isHere = isExact || (start === from && end === to && !isEmpty);
            if (!isHere || (isEmpty && seen.has(index))) {
                continue;
            }
            seen.add(index);
            if (start > at) {
                append(made, start);
            }
            const origin = this.map[run.run] as Run;
            const isAbsent = isNamed(origin.kind) && text.slice(start - from, end - from) === this.marker;
            const span = runElement(origin, index, this.tintOf(origin), isEmpty || isAbsent);
            if (isAbsent) {
                at = end;
            } else if (!isEmpty) {
                append(span, end);
            }
            appendRun(made, span);
        }
        if (at < to) {
            append(made, to);
        }
        return made;
    }

    private pieceOf(node: Node): { drawn: Drawn; near: Element } | undefined {
        const near = node instanceof Element ? node : node.parentElement;
        const drawn = this.drawnOf.get(near?.closest('.markdown-piece') as Element);
        return near && drawn && this.element.contains(near) ? { drawn, near } : undefined;
    }

    runOf(node: Node): number | undefined {
        const { drawn, near } = this.pieceOf(node) ?? {};
        const index = near?.closest<HTMLElement>('[data-run]')?.dataset['run'];
        return index === undefined ? undefined : drawn?.runs[Number(index)]?.run;
    }

    elementOf(run: number): HTMLElement | undefined {
        const [start, end] = this.map[run]?.output ?? [0, 0];
        for (let index = pieceAt(this.drawn, start, (it) => it.start); index < this.drawn.length; index++) {
            const { element: made, runs, start: pieceStart } = this.drawn[index] as Drawn;
            if (pieceStart > end) {
                return undefined;
            }
            const at = runs.findIndex((it) => it.run === run);
            const found = at === -1 ? null : made.querySelector<HTMLElement>(`[data-run="${at}"]`);
            if (found !== null) {
                return found;
            }
        }
        return undefined;
    }

    offsetOf(node: Node, at: number): number | undefined {
        const { drawn } = this.pieceOf(node) ?? {};
        const place = drawn?.places.get(node);
        return drawn && place !== undefined ? drawn.start + place + at : undefined;
    }

    light(lit: ReadonlySet<number>): void {
        for (const old of this.element.querySelectorAll('.lit')) {
            old.classList.remove('lit');
        }
        for (const { element: made, runs } of this.drawn) {
            // A piece may have thousands of runs, so its elements are iterated once.
            if (lit.size > 0 && runs.some(({ run }) => lit.has(run))) {
                for (const span of made.querySelectorAll<HTMLElement>('[data-run]')) {
                    span.classList.toggle('lit', lit.has(runs[Number(span.dataset['run'])]?.run ?? -1));
                }
            }
        }
    }
}

/** A run of a text that is truncated at `end`. */
function upTo(run: Run, end: number): Run {
    const [from, to] = run.output;
    if (to <= end) {
        return run;
    }
    return from < end ? { ...run, output: [from, end] } : { ...run, kind: 'literal', output: [end, end] };
}

/** Joins words that are also adjacent in the source: the lines of a paragraph. */
function joinNext(span: HTMLElement): void {
    const before = span.previousSibling;
    if (!(before instanceof HTMLElement) || ![before, span].every((it) => it.dataset['from'] !== undefined && it.dataset['to'] === undefined)) {
        return;
    }
    const [text, next] = [before.textContent ?? '', span.textContent ?? ''];
    if (Number(before.dataset['from']) + text.length === Number(span.dataset['from'])) {
        span.dataset['from'] = before.dataset['from'];
        span.textContent = text + next;
        before.remove();
    }
}

function textsOf(root: Node): Text[] {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        texts.push(node as Text);
    }
    return texts;
}
