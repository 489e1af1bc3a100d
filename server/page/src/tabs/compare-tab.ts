/** Two texts and what differs: two cases, or one now and as it was at the last commit. */

import { drawnFor } from '../text/blocks';
import { Choice, iconButton, press, toggle } from '../widgets/controls';
import { element, setChildren, setText } from '../widgets/dom';
import { appendText } from '../text/draw-text';
import type { Flow } from '../text/text-view';
import { Latest } from '../host/coalesced-request';
import type { CompareParams, ComparedText, Comparison, Preview, Side } from '../host/protocol';
import { type Hidden, type Line, type Piece, type Row, folded, isChanged, isChangedLine, linesInOne, rowsOf } from '../compare/rows';
import { count, sideName } from '../widgets/words';
import { type Model, View } from './tab';

/** So many rows are drawn, kept and replaced as one. */
const rowsToBlock = 40;

/** A line on each side, a line of both, or some that are hidden. */
type Shown = Row | Line | Hidden<Row | Line>;

type Sides = Pick<CompareParams, 'left' | 'right'>;

/** What the reader may choose. */
export interface CompareState {
    isInline: boolean;
    showsAll: boolean;
}

export class CompareView extends View {
    readonly flows: Flow[] = [];
    private readonly left = new Choice('Left text', (value) => this.choose('left', value));
    private readonly right = new Choice('Right text', (value) => this.choose('right', value));
    private readonly summary = element('span.summary', { role: 'status' });
    private readonly message = element('p.empty', { hidden: true });
    private readonly table = element('div.diff');
    private readonly body = element('div.compare-body', { tabindex: 0, role: 'region', 'aria-label': 'Differences' }, this.message, this.table);
    private readonly inline: HTMLButtonElement;
    private readonly all: HTMLButtonElement;
    private readonly question: Latest<Sides, Comparison | null>;
    private sides: Sides | undefined;
    private comparison: Comparison | undefined;
    private drawn: { key: string; element: HTMLElement }[] = [];
    private changes = 0;
    /** The change that was gone to last. */
    private at = -1;
    private preview: Preview | undefined;

    constructor(
        ask: (sides: Sides) => Promise<Comparison | null>,
        private readonly state: CompareState,
        private readonly stateChanged: (state: CompareState) => void,
    ) {
        super('compare', 'Compare', 'What differs');
        const name = 'Side by side';
        this.inline = toggle('rows', 'Both texts in one column', state.isInline, (isOn) => this.changeState({ isInline: isOn }));
        this.all = toggle('fold', 'Leave out lines that are the same', !state.showsAll, (isOn) => this.changeState({ showsAll: !isOn }));
        const swap = iconButton('swap', 'Swap the texts', () => this.swap());
        const previous = iconButton('previous', 'Previous change (Shift+N)', () => this.go(-1));
        const next = iconButton('next', 'Next change (N)', () => this.go(1));
        const bar = element(
            'div.compare-bar',
            { role: 'group', 'aria-label': name },
            ...[this.left.element, swap, this.right.element, this.summary, previous, next, this.all, this.inline],
        );
        this.element.removeAttribute('tabindex');
        this.element.append(bar, this.body);
        this.table.addEventListener('pointerdown', (event) => this.selectOneSide(event));
        this.question = new Latest(
            ask,
            (comparison) => this.take(comparison),
            ({ message }) => this.say(message),
        );
    }

    override get scroller(): HTMLElement {
        return this.body;
    }

    show({ preview }: Model): number {
        this.preview = preview;
        if (this.sides === undefined || !this.isThere(this.sides.left) || !this.isThere(this.sides.right)) {
            this.sides = usualSides(preview);
        }
        this.showChoices();
        this.question.ask(this.sides);
        return 0;
    }

    /** Of another prompt, nothing is chosen yet. */
    forget(): void {
        this.sides = undefined;
        this.question.forget();
        this.take(null);
    }

    private isThere({ case: name }: Side): boolean {
        const cases = this.preview?.cases ?? [];
        return name === undefined ? cases.length === 0 : cases.some((it) => it.name === name);
    }

    private showChoices(): void {
        const names = this.preview?.cases.map((it) => it.name) ?? [];
        const sides: Side[] = names.length > 0 ? names.map((it) => ({ case: it })) : [{}];
        const option = (side: Side) => ({ value: JSON.stringify(side), label: side.case ?? 'Now' });
        const groups = [
            { label: 'Now', options: sides.map(option) },
            { label: 'At the last commit', options: sides.map((it) => ({ ...option({ ...it, revision: 'HEAD' }), label: `${it.case ?? 'Text'}, last commit` })) },
        ];
        this.left.show(groups, JSON.stringify(this.sides?.left));
        this.right.show(groups, JSON.stringify(this.sides?.right));
    }

    private choose(side: keyof Sides, value: string): void {
        if (this.sides !== undefined) {
            this.sides = { ...this.sides, [side]: JSON.parse(value) as Side };
            this.at = -1;
            this.question.ask(this.sides);
        }
    }

    private swap(): void {
        if (this.sides !== undefined) {
            this.sides = { left: this.sides.right, right: this.sides.left };
            this.showChoices();
            this.question.ask(this.sides);
        }
    }

    private changeState(change: Partial<CompareState>): void {
        Object.assign(this.state, change);
        press(this.inline, this.state.isInline);
        press(this.all, !this.state.showsAll);
        this.stateChanged(this.state);
        this.drawn = [];
        this.draw();
    }

    private take(comparison: Comparison | null): void {
        this.comparison = comparison ?? undefined;
        this.draw();
    }

    private say(message: string): void {
        this.comparison = undefined;
        this.draw();
        this.message.hidden = false;
        this.message.replaceChildren(message);
    }

    private draw(): void {
        const { comparison } = this;
        this.table.hidden = comparison === undefined;
        if (comparison === undefined) {
            this.message.hidden = true;
            this.drawn = [];
            this.changes = 0;
            this.table.replaceChildren();
            setText(this.summary, '');
            return;
        }
        const changes = comparison.parts.filter((it) => !it.same).length;
        this.changes = changes;
        const isSame = changes === 0;
        this.message.hidden = !isSame;
        setText(this.message, isSame ? 'Both texts are the same.' : '');
        setText(this.summary, isSame ? 'No changes' : count(changes, 'change'));
        this.table.classList.toggle('inline', this.state.isInline);
        const leavesOut = !this.state.showsAll && !isSame;
        if (this.state.isInline) {
            const lines = linesInOne(comparison);
            this.drawRows(leavesOut ? folded(lines, isChangedLine) : lines, comparison);
        } else {
            const rows = rowsOf(comparison);
            this.drawRows(leavesOut ? folded(rows, isChanged) : rows, comparison);
        }
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
        this.drawn = drawnFor(this.drawn, keys, (key, index) => ({ key, element: this.block(blocks[index] ?? []) }));
        const head = this.state.isInline ? this.inlineHead(left, right) : this.head(left, right);
        this.table.setAttribute('role', this.state.isInline ? 'group' : 'table');
        this.table.setAttribute('aria-label', `${sideName(left)} and ${sideName(right)}`);
        setChildren(this.table, [head, ...this.drawn.map((it) => it.element)]);
    }

    private head(left: ComparedText, right: ComparedText): HTMLElement {
        const cell = (text: ComparedText) => element('div.diff-name', { role: 'columnheader' }, sideName(text), ...errorOf(text));
        const row = element('div.diff-row', { role: 'row' }, cell(left), cell(right));
        return element('div.diff-head', { role: 'rowgroup' }, row);
    }

    private inlineHead(left: ComparedText, right: ComparedText): HTMLElement {
        const name = (text: ComparedText, kind: 'ins' | 'del') => element('div.diff-name', {}, element(kind, {}, sideName(text)), ...errorOf(text));
        return element('div.diff-head', {}, name(left, 'del'), name(right, 'ins'));
    }

    private block(rows: Shown[]): HTMLElement {
        const made = element('div.diff-block', this.state.isInline ? {} : { role: 'rowgroup' });
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
        const cell = (pieces: Piece[] | undefined, kind: 'del' | 'ins') => {
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

    /** Lines that are the same, to be shown when they are asked for. */
    private fold(hidden: (Row | Line)[], block: HTMLElement): HTMLElement {
        const label = `${count(hidden.length, 'line')} the same`;
        const made = element('button.fold', { type: 'button' }, label);
        made.addEventListener('click', () => {
            block.replaceChildren(...hidden.map((it) => this.row(it)));
            block.style.removeProperty('contain-intrinsic-block-size');
            this.scroller.focus({ preventScroll: true });
        });
        return this.state.isInline ? made : element('div.diff-row.folded', { role: 'row' }, element('div.fold-cell', { role: 'cell' }, made));
    }

    /** To the next change, and behind the last one to the first. */
    override go(step: 1 | -1): void {
        const places = this.places();
        if (places.length === 0) {
            return;
        }
        const isFirst = this.at === -1 && step === -1;
        this.at = (this.at + (isFirst ? 0 : step) + places.length) % places.length;
        const place = places[this.at] as HTMLElement;
        this.table.querySelector('.at')?.classList.remove('at');
        place.classList.add('at');
        place.setAttribute('tabindex', '-1');
        place.scrollIntoView({ block: 'center' });
        place.focus({ preventScroll: true });
        setText(this.summary, `${this.at + 1} of ${count(this.changes, 'change')}`);
    }

    /** Where the changes are, in order: the first piece of each. */
    private places(): HTMLElement[] {
        const seen = new Set<string>();
        return [...this.table.querySelectorAll<HTMLElement>('[data-change]')].filter((it) => {
            const change = it.dataset['change'] ?? '';
            const isNew = !seen.has(change);
            seen.add(change);
            return isNew;
        });
    }

    /** A selection that starts on one side stays there. */
    private selectOneSide({ target }: PointerEvent): void {
        const cell = (target as Element).closest('.diff-cell');
        this.table.dataset['selecting'] = cell?.classList.contains('ins') ? 'right' : 'left';
        getSelection()?.removeAllRanges();
    }
}

/** The case that is selected, against another one; or against the last commit. */
function usualSides({ case: current, cases }: Preview): Sides {
    const now: Side = current === null ? {} : { case: current };
    const other = cases.find((it) => it.name !== current);
    return other ? { left: now, right: { case: other.name } } : { left: { ...now, revision: 'HEAD' }, right: now };
}

function errorOf({ error }: ComparedText): HTMLElement[] {
    return error === null ? [] : [element('p.column-error', {}, `Not sent: ${error.message}`)];
}

/** Whether a row is a whole line that the other side has not. */
function isAlone({ left, right }: Row): boolean {
    return left === undefined || right === undefined;
}

function pieceNode(piece: Piece, kind: 'ins' | 'del'): Node {
    if (piece.change === undefined) {
        const same = document.createDocumentFragment();
        appendText(same, piece.text, { showsWhitespace: false });
        return same;
    }
    const made = element(kind, { 'data-change': piece.change });
    // What differs in spaces and line ends only could not be seen.
    appendText(made, piece.text, { showsWhitespace: piece.text.trim() === '' });
    return made;
}
