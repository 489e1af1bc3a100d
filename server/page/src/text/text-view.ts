/**
 * A text on the page, block by block.
 *
 * An unchanged block keeps its nodes, and with them the selection, the focus and the pointer's
 * target. In very long texts, blocks far from the visible part have no nodes until they come near.
 * In other texts, they are filled while the page is idle, so that the browser's search covers the
 * whole text.
 */

import type { Run } from '../host/protocol';
import { element, setAttribute, setChildren } from '../widgets/dom';
import { reuseByKey } from '../widgets/keyed-nodes';
import { type Block, blocksOf, pieceAt } from './blocks';
import { appendRun, appendText, lookOf, runElement } from './draw-text';
import type { MappedView } from './mapped-view';

/** The contents of a view. */
export interface TextViewContent {
    /** The whole text; offsets count from its start. */
    text: string;
    map: readonly Run[];
    /** The part of the text in the view. */
    range: readonly [number, number];
    /** The tint of a run, if it has one. */
    tintOf: (run: Run) => number | undefined;
    showsWhitespace: boolean;
    /** The end of the prefix that is identical in all cases, and its label. */
    prefix?: { end: number; label: string } | undefined;
}

interface Drawn {
    block: Block;
    key: string;
    element: HTMLElement;
    isFilled: boolean;
}

/** The maximum length of texts that are filled completely, in UTF-16 units. */
const mostFilled = 3_000_000;

export class TextView implements MappedView {
    readonly element = element('div.text-view');
    private shown: TextViewContent = { text: '', map: [], range: [0, 0], tintOf: () => undefined, showsWhitespace: false };
    private drawn: Drawn[] = [];
    private readonly drawnOf = new WeakMap<Element, Drawn>();
    private lit: ReadonlySet<number> = new Set();
    private idle: number | undefined;
    /** The number of characters in a row, and its height; measured on first use. */
    private row: { columns: number; height: number } | undefined;

    constructor(private readonly scroller: HTMLElement) {}

    /** Shows a text; returns the number of drawn blocks. */
    show(shown: TextViewContent): number {
        const { text, map, range, prefix } = shown;
        const isOtherDrawing = shown.showsWhitespace !== this.shown.showsWhitespace;
        this.shown = shown;
        // The indexes of runs have changed; the caller sets the highlights again.
        this.lit = new Set();
        const look = (run: Run) => lookOf(run, shown.tintOf(run));
        const prefixLine = prefix && lineEnd(text, prefix.end);
        const blocks = blocksOf(text, map, look, range, prefixLine);
        const keys = blocks.map((block) => `${block.looks}\0${markIn(block, prefix) ?? ''}\0${block.text}`);

        let count = 0;
        this.drawn = reuseByKey(isOtherDrawing ? [] : this.drawn, keys, (key, index) => {
            count++;
            return this.newBlock(blocks[index] as Block, key);
        });
        // The runs of kept blocks are the same, but their indexes and offsets may have changed.
        this.drawn.forEach((it, index) => (it.block = blocks[index] as Block));
        setChildren(this.element, this.drawn.map((it) => it.element));
        this.drawPrefix();

        const isNew = this.drawn.filter((it) => !it.isFilled);
        // If few blocks are replaced, they are most likely visible.
        const isFew = isNew.length <= 4 && isNew.every(({ block }) => block.text.length < 40_000);
        if (isFew) {
            isNew.forEach((it) => this.fill(it));
        }
        this.fillVisible();
        this.fillWhenIdle();
        return count;
    }

    get text(): string {
        return this.shown.text;
    }

    get map(): readonly Run[] {
        return this.shown.map;
    }

    get range(): readonly [number, number] {
        return this.shown.range;
    }

    /** The number of blocks, and of those with nodes. */
    get counts(): { blocks: number; filled: number } {
        return { blocks: this.drawn.length, filled: this.drawn.filter((it) => it.isFilled).length };
    }

    private newBlock(block: Block, key: string): Drawn {
        const made = element('div.block', block.isCut ? { 'data-cut': true } : {});
        const drawn = { block, key, element: made, isFilled: false };
        this.drawnOf.set(made, drawn);
        const height = `${this.estimate(block)}px`;
        made.style.setProperty('height', height);
        made.style.setProperty('contain-intrinsic-block-size', `auto ${height}`);
        return drawn;
    }

    /** The estimated height of a block. */
    private estimate({ text, lines }: Block): number {
        this.row ??= this.measured();
        const { columns, height } = this.row;
        if (text.length <= columns) {
            return lines * height;
        }
        let rows = 0;
        for (let at = 0; at < text.length; ) {
            const newline = text.indexOf('\n', at);
            const end = newline === -1 ? text.length : newline;
            rows += Math.max(1, Math.ceil((end - at) / columns));
            at = end + 1;
        }
        return rows * height;
    }

    private measured(): { columns: number; height: number } {
        const probe = element('div.block.probe', {}, '0'.repeat(50));
        this.element.append(probe);
        const { paddingLeft, paddingRight } = getComputedStyle(probe);
        const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
        const { width, height } = probe.getBoundingClientRect();
        probe.remove();
        const character = (width - padding) / 50 || 8;
        const columns = Math.floor((this.element.clientWidth - padding) / character);
        return { columns: Math.max(10, columns), height: height || 20 };
    }

    /** Discards measurements after a change of the width or the font. */
    resized(): void {
        this.row = undefined;
        this.fillVisible();
    }

    private fill(drawn: Drawn): void {
        if (drawn.isFilled) {
            return;
        }
        drawn.isFilled = true;
        const { block, element: made } = drawn;
        const fragment = document.createDocumentFragment();
        const mark = markIn(block, this.shown.prefix);
        let at = 0;
        const append = (parent: Node, end: number) => {
            if (mark !== undefined && at <= mark && mark < end) {
                appendText(parent, block.text.slice(at, mark), this.shown);
                parent.appendChild(element('span.prefix-end'));
                at = mark;
            }
            appendText(parent, block.text.slice(at, end), this.shown);
            at = end;
        };
        for (const [index, { start, end, run }] of block.runs.entries()) {
            append(fragment, start);
            const origin = this.shown.map[run] as Run;
            const span = runElement(origin, index, this.shown.tintOf(origin), start === end);
            append(span, end);
            appendRun(fragment, span);
        }
        append(fragment, block.text.length);
        made.replaceChildren(fragment);
        made.style.removeProperty('height');
        if (this.lit.size > 0) {
            this.lightIn(drawn);
        }
    }

    /** Fills the visible blocks, and a screen before and after. */
    fillVisible(): void {
        const { top, bottom, height } = this.scroller.getBoundingClientRect();
        if (height === 0 || this.drawn.length === 0) {
            return;
        }
        // Filled blocks may be smaller than estimated, which makes others visible.
        for (let round = 0; round < 4; round++) {
            let isDone = true;
            const first = this.firstBelow(top - height);
            for (let index = first; index < this.drawn.length; index++) {
                const drawn = this.drawn[index] as Drawn;
                if (drawn.element.getBoundingClientRect().top > bottom + height) {
                    break;
                }
                if (!drawn.isFilled) {
                    this.fill(drawn);
                    isDone = false;
                }
            }
            if (isDone) {
                return;
            }
        }
    }

    private indexAt(offset: number): number {
        return pieceAt(this.drawn, offset, (it) => it.block.start);
    }

    /** The first block that ends below a position in the window. */
    private firstBelow(y: number): number {
        let [low, high] = [0, this.drawn.length - 1];
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((this.drawn[middle] as Drawn).element.getBoundingClientRect().bottom > y) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private fillWhenIdle(): void {
        if (this.idle !== undefined || this.range[1] - this.range[0] > mostFilled || this.shown.showsWhitespace) {
            return;
        }
        const work = (deadline: IdleDeadline) => {
            this.idle = undefined;
            const end = performance.now() + Math.max(4, deadline.timeRemaining() - 4);
            let next = this.drawn.findIndex((it) => !it.isFilled);
            while (next !== -1 && next < this.drawn.length && performance.now() < end) {
                this.fill(this.drawn[next++] as Drawn);
            }
            if (next !== -1 && next < this.drawn.length) {
                this.fillWhenIdle();
            }
        };
        // On a busy machine, a page may never be idle.
        this.idle = requestIdleCallback(work, { timeout: 100 });
    }

    private drawPrefix(): void {
        const { prefix, text } = this.shown;
        const end = prefix && lineEnd(text, prefix.end);
        for (const { block, element: made } of this.drawn) {
            const isIn = end !== undefined && prefix !== undefined && prefix.end > 0 && block.start < end;
            const isLast = isIn && block.start + block.text.length >= end;
            made.classList.toggle('prefix', isIn);
            setAttribute(made, 'data-prefix', isLast ? prefix.label : undefined);
        }
    }

    /** Highlights these runs, and no others. */
    light(runs: ReadonlySet<number>): void {
        for (const old of this.element.querySelectorAll('.lit')) {
            old.classList.remove('lit');
        }
        this.lit = runs;
        if (runs.size > 0) {
            this.drawn.forEach((it) => it.isFilled && this.lightIn(it));
        }
    }

    private lightIn({ block, element: made }: Drawn): void {
        for (const [index, { run }] of block.runs.entries()) {
            if (this.lit.has(run)) {
                made.querySelector(`[data-run="${index}"]`)?.classList.add('lit');
            }
        }
    }

    /** The index of the run that contains a node; `undefined` for literal text. */
    runOf(node: Node): number | undefined {
        const near = node instanceof Element ? node : node.parentElement;
        const span = near?.closest<HTMLElement>('[data-run]');
        const block = span && this.drawnOf.get(span.closest('.block') as Element)?.block;
        return block?.runs[Number(span?.dataset['run'])]?.run;
    }

    /** The element of a run, whose block is filled if needed. */
    elementOf(run: number): HTMLElement | undefined {
        const start = this.shown.map[run]?.output[0] ?? 0;
        for (let index = this.indexAt(start); index < this.drawn.length; index++) {
            const drawn = this.drawn[index] as Drawn;
            const at = drawn.block.runs.findIndex((it) => it.run === run);
            if (at !== -1) {
                this.fill(drawn);
                return drawn.element.querySelector<HTMLElement>(`[data-run="${at}"]`) ?? undefined;
            }
            if (drawn.block.start > start) {
                return undefined;
            }
        }
        return undefined;
    }

    /** The offset in the text of a DOM position; `undefined` if it is elsewhere. */
    offsetOf(node: Node, at: number): number | undefined {
        if (node === this.element) {
            const next = this.drawn[at]?.block.start;
            return next ?? this.range[1];
        }
        const near = node instanceof Element ? node : node.parentElement;
        const block = near?.closest('.block');
        const drawn = block ? this.drawnOf.get(block) : undefined;
        if (!block || drawn === undefined || !this.element.contains(block)) {
            return undefined;
        }
        const before = document.createRange();
        before.setStart(block, 0);
        before.setEnd(node, at);
        return drawn.block.start + before.toString().length;
    }

    /** The DOM position of an offset; fills the blocks around it. */
    domPositionOf(offset: number): { node: Node; at: number } | undefined {
        const drawn = this.drawn[this.indexAt(offset)];
        if (drawn === undefined) {
            return undefined;
        }
        this.fill(drawn);
        const walker = document.createTreeWalker(drawn.element, NodeFilter.SHOW_TEXT);
        let left = Math.max(0, offset - drawn.block.start);
        let last: Text | undefined;
        for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
            if (left < node.length) {
                return { node, at: left };
            }
            left -= node.length;
            last = node;
        }
        return last ? { node: last, at: last.length } : { node: drawn.element, at: 0 };
    }

    /** The rectangle of an offset in the window. */
    rectOf(offset: number): DOMRect | undefined {
        const place = this.domPositionOf(offset);
        if (place === undefined) {
            return undefined;
        }
        const range = document.createRange();
        range.setStart(place.node, place.at);
        if (place.node instanceof Text && place.at < place.node.length) {
            range.setEnd(place.node, place.at + 1);
        }
        const rect = range.getClientRects()[0];
        return rect ?? (place.node instanceof Element ? place.node : place.node.parentElement)?.getBoundingClientRect();
    }

    /** The offset of the first character below a position in the window. */
    offsetBelow(y: number): number {
        const drawn = this.drawn[this.firstBelow(y)];
        if (drawn === undefined) {
            return this.range[0];
        }
        const { top, bottom } = drawn.element.getBoundingClientRect();
        if (top >= y || !drawn.isFilled) {
            const part = Math.max(0, Math.min(1, (y - top) / Math.max(1, bottom - top)));
            return drawn.block.start + Math.round(part * drawn.block.text.length);
        }
        // Binary search, because text wraps: later characters are further down.
        let [low, high] = [drawn.block.start, drawn.block.start + drawn.block.text.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            const rect = this.rectOf(middle);
            if (rect !== undefined && rect.bottom <= y + 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    dispose(): void {
        if (this.idle !== undefined) {
            cancelIdleCallback(this.idle);
        }
        this.element.remove();
    }
}

/** The end of the line with the last character before an offset. */
function lineEnd(text: string, offset: number): number {
    const newline = text.indexOf('\n', Math.max(0, offset - 1));
    return newline === -1 ? text.length : newline + 1;
}

/** The end of the prefix in a block; `undefined` if it is elsewhere. */
function markIn({ start, text }: Block, prefix: TextViewContent['prefix']): number | undefined {
    const at = prefix === undefined ? -1 : prefix.end - start;
    return at > 0 && at < text.length ? at : undefined;
}
