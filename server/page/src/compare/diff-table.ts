/** A comparison as a table: the texts side by side, or the lines of both in one column. */

import type { ComparedText, Comparison } from '../host/protocol';
import { appendText } from '../text/draw-text';
import { element, setChildren } from '../widgets/dom';
import { reuseByKey } from '../widgets/keyed-nodes';
import { capitalized, count, errorText, sideName } from '../widgets/words';
import { type Hidden, type Line, type LinePiece, type Row, folded, isChanged, isChangedLine, linesInOne, rowsOf } from './rows';

/** The number of rows that are drawn, kept and replaced together. */
const rowsToBlock = 40;

/** A row with a line on each side, a line of one column, or hidden lines. */
type Shown = Row | Line | Hidden<Row | Line>;

/** The user's choices. */
export interface DiffLayout {
    /** Both texts in one column. */
    isInline: boolean;
    /** All lines, also those far from any change. */
    showsAll: boolean;
}

export class DiffTable {
    readonly element = element('div.diff', { hidden: true });
    private drawn: { key: string; element: HTMLElement }[] = [];
    private layout: DiffLayout = { isInline: false, showsAll: false };
    /** The index of the current change, from 0. */
    private at = -1;

    /** `focusAround` moves the focus away from elements that are removed from the table. */
    constructor(private readonly focusAround: () => void) {
        this.element.addEventListener('pointerdown', (event) => this.selectOneSide(event));
    }

    show(comparison: Comparison, { isInline, showsAll }: DiffLayout): void {
        if (isInline !== this.layout.isInline || showsAll !== this.layout.showsAll) {
            this.drawn = [];
        }
        this.layout = { isInline, showsAll };
        this.element.hidden = false;
        this.element.classList.toggle('inline', isInline);
        const leavesOut = !showsAll && comparison.parts.some((it) => !it.same);
        if (isInline) {
            const lines = linesInOne(comparison);
            this.drawRows(leavesOut ? folded(lines, isChangedLine) : lines, comparison);
        } else {
            const rows = rowsOf(comparison);
            this.drawRows(leavesOut ? folded(rows, isChanged) : rows, comparison);
        }
    }

    clear(): void {
        this.element.hidden = true;
        this.element.replaceChildren();
        this.drawn = [];
        this.startOver();
    }

    /** Makes the first change the next one to go to. */
    startOver(): void {
        this.at = -1;
    }

    private drawRows(shown: Shown[], { left, right }: Comparison): void {
        const blocks: Shown[][] = [];
        for (const row of shown) {
            const last = blocks.at(-1);
            if (last === undefined || last.length >= rowsToBlock || 'hidden' in row || (last[0] && 'hidden' in last[0])) {
                blocks.push([row]);
            } else {
                last.push(row);
            }
        }
        const keys = blocks.map((block) => JSON.stringify(block));
        this.drawn = reuseByKey(this.drawn, keys, (key, index) => ({ key, element: this.block(blocks[index] ?? []) }));
        const head = this.layout.isInline ? this.inlineHead(left, right) : this.head(left, right);
        this.element.setAttribute('role', this.layout.isInline ? 'group' : 'table');
        this.element.setAttribute('aria-label', `${sideName(left)} and ${sideName(right)}`);
        setChildren(this.element, [head, ...this.drawn.map((it) => it.element)]);
    }

    private head(left: ComparedText, right: ComparedText): HTMLElement {
        const cell = (text: ComparedText) => element('div.diff-name', { role: 'columnheader' }, sideName(text), ...remarksOn(text));
        const row = element('div.diff-row', { role: 'row' }, cell(left), cell(right));
        return element('div.diff-head', { role: 'rowgroup' }, row);
    }

    private inlineHead(left: ComparedText, right: ComparedText): HTMLElement {
        const name = (text: ComparedText, kind: 'ins' | 'del') => element('div.diff-name', {}, element(kind, {}, sideName(text)), ...remarksOn(text));
        return element('div.diff-head', {}, name(left, 'del'), name(right, 'ins'));
    }

    private block(rows: Shown[]): HTMLElement {
        const made = element('div.diff-block', this.layout.isInline ? {} : { role: 'rowgroup' });
        made.style.setProperty('contain-intrinsic-block-size', `auto ${rows.length * 20}px`);
        for (const row of rows) {
            made.append('hidden' in row ? this.fold(row.hidden, made) : this.row(row));
        }
        return made;
    }

    private row(row: Row | Line): HTMLElement {
        if (Array.isArray(row)) {
            const made = element('div.diff-line', {}, ...row.map((piece) => pieceNode(piece, piece.kind ?? 'ins')));
            made.classList.toggle('changed', isChangedLine(row));
            return made;
        }
        const cell = (pieces: LinePiece[] | undefined, kind: 'del' | 'ins') => {
            const made = element(`div.diff-cell.${kind}`, { role: 'cell' });
            if (pieces === undefined) {
                made.classList.add('absent');
            } else {
                made.append(...pieces.map((piece) => pieceNode(piece, kind)));
                made.classList.toggle('has-change', isChangedLine(pieces) || isAlone(row));
            }
            return made;
        };
        return element('div.diff-row', { role: 'row' }, cell(row.left, 'del'), cell(row.right, 'ins'));
    }

    /** A fold of unchanged lines, which expands on demand. */
    private fold(hidden: (Row | Line)[], block: HTMLElement): HTMLElement {
        const label = `${count(hidden.length, 'line')} the same`;
        const made = element('button.fold', { type: 'button' }, label);
        made.addEventListener('click', () => {
            block.replaceChildren(...hidden.map((it) => this.row(it)));
            block.style.removeProperty('contain-intrinsic-block-size');
            this.focusAround();
        });
        return this.layout.isInline ? made : element('div.diff-row.folded', { role: 'row' }, element('div.fold-cell', { role: 'cell' }, made));
    }

    /** Goes to the next change, wrapping around; with -1 to the previous one. Returns its index, from 0. */
    go(step: 1 | -1): number | undefined {
        const places = this.places();
        if (places.length === 0) {
            return undefined;
        }
        const isFirst = this.at === -1 && step === -1;
        this.at = (this.at + (isFirst ? 0 : step) + places.length) % places.length;
        const place = places[this.at] as HTMLElement;
        this.element.querySelector('.at')?.classList.remove('at');
        place.classList.add('at');
        place.setAttribute('tabindex', '-1');
        place.scrollIntoView({ block: 'center' });
        place.focus({ preventScroll: true });
        return this.at;
    }

    /** The first piece of each change, in order. */
    private places(): HTMLElement[] {
        const seen = new Set<string>();
        return [...this.element.querySelectorAll<HTMLElement>('[data-change]')].filter((it) => {
            const change = it.dataset['change'] ?? '';
            const isNew = !seen.has(change);
            seen.add(change);
            return isNew;
        });
    }

    /** Keeps a selection within the side where it starts. */
    private selectOneSide({ target }: PointerEvent): void {
        const cell = (target as Element).closest('.diff-cell');
        this.element.dataset['selecting'] = cell?.classList.contains('ins') ? 'right' : 'left';
        getSelection()?.removeAllRanges();
    }
}

/** The note about a text, and the error because of which it is not sent. */
function remarksOn({ note, error }: ComparedText): HTMLElement[] {
    return [
        ...(note === null ? [] : [element('p.column-note', {}, capitalized(note))]),
        ...(error === null ? [] : [element('p.column-error', {}, errorText(error))]),
    ];
}

/** Whether a row is a whole line without a counterpart on the other side. */
function isAlone({ left, right }: Row): boolean {
    return left === undefined || right === undefined;
}

function pieceNode(piece: LinePiece, kind: 'ins' | 'del'): Node {
    if (piece.change === undefined) {
        const same = document.createDocumentFragment();
        appendText(same, piece.text, { showsWhitespace: false });
        return same;
    }
    const made = element(kind, { 'data-change': piece.change });
    // Otherwise, differences in only whitespace and line ends would be invisible.
    appendText(made, piece.text, { showsWhitespace: piece.text.trim() === '' });
    return made;
}
