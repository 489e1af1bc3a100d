/** All cases side by side, with the differences from the selected one. */

import { CoalescedRequest } from '../host/coalesced-request';
import type { Case, CompareParams, Comparison, Preview } from '../host/protocol';
import { keepScroll } from '../text/keep-scroll';
import { Marks } from '../text/marks';
import { TextView } from '../text/text-view';
import { Tints } from '../text/tints';
import { button } from '../widgets/controls';
import { element, setChildren, setText } from '../widgets/dom';
import { count, counted, errorText } from '../widgets/words';
import { type TabContent, Tab } from './tab';

type Sides = Pick<CompareParams, 'left' | 'right'>;

interface Column {
    element: HTMLElement;
    counts: HTMLElement;
    select: HTMLButtonElement;
    error: HTMLElement;
    view: TextView;
    preview: Preview | undefined;
    request: CoalescedRequest<string, Preview | null>;
    differing: HTMLElement;
    comparing: CoalescedRequest<Sides, Comparison | null>;
}

export class CasesTab extends Tab {
    private readonly none = element('p.empty', { hidden: true }, 'The prompt has no inputs yet, so there are no cases.');
    private readonly row = element('div.columns');
    private columns = new Map<string, Column>();
    private showsWhitespace = false;
    private readonly marks = new Marks();
    private current: string | null = null;

    constructor(
        private readonly request: (name: string) => Promise<Preview | null>,
        private readonly compare: (sides: Sides) => Promise<Comparison | null>,
        private readonly select: (name: string) => void,
    ) {
        super('cases', 'Cases', 'All cases beside each other');
        this.element.append(this.none, this.row);
    }

    get textViews(): TextView[] {
        return [...this.columns.values()].map((it) => it.view);
    }

    show({ preview, showsWhitespace }: TabContent): number {
        const isOtherDrawing = showsWhitespace !== this.showsWhitespace;
        this.showsWhitespace = showsWhitespace;
        const { cases, case: current } = preview;
        this.current = current;
        this.none.hidden = cases.length > 0;
        const old = this.columns;
        this.columns = new Map(cases.map(({ name }) => [name, old.get(name) ?? this.newColumn(name)]));
        for (const [name, { view }] of old) {
            if (!this.columns.has(name)) {
                view.dispose();
                this.marks.forget(view);
            }
        }
        setChildren(this.row, [...this.columns.values()].map((it) => it.element));
        let drawn = 0;
        for (const it of cases) {
            const column = this.columns.get(it.name) as Column;
            this.head(column, it, it.name === current);
            if (it.name === current) {
                drawn += this.draw(column, preview);
            } else {
                if (isOtherDrawing && column.preview) {
                    drawn += this.draw(column, column.preview);
                }
                column.request.send(it.name);
            }
        }
        return drawn;
    }

    private head({ element: made, counts, select }: Column, it: Case, isCurrent: boolean): void {
        // The selected case has a mark next to its name.
        select.hidden = isCurrent;
        made.classList.toggle('current', isCurrent);
        setText(counts, counted(it));
        counts.classList.toggle('has-errors', it.errors > 0);
    }

    private draw(column: Column, preview: Preview): number {
        column.preview = preview;
        const { text, map, error } = preview;
        column.error.hidden = error === null;
        setText(column.error, error ? errorText(error) : '');
        const tints = new Tints(preview);
        const tintOf = tints.of.bind(tints);
        let drawn = 0;
        keepScroll(this.scroller, [column.view], () => {
            drawn = column.view.show({ text, map, range: [0, text.length], tintOf, showsWhitespace: this.showsWhitespace });
        });
        this.mark(column);
        return drawn;
    }

    /** Marks the differences from the selected case. */
    private mark(column: Column): void {
        const name = column.preview?.case;
        if (this.current === null || name == null || name === this.current) {
            this.showDiffering(column, undefined);
        } else {
            column.comparing.send({ left: { case: this.current }, right: { case: name } });
        }
    }

    private showDiffering(column: Column, comparison: Comparison | undefined): void {
        const { view, differing, preview } = column;
        // The response may be for a text that is no longer drawn, or not yet.
        const isSame = comparison?.right.text === preview?.text && comparison?.left.case === this.current;
        const parts = isSame ? (comparison?.parts.filter((it) => !it.same) ?? []) : [];
        setText(differing, comparison && isSame ? count(parts.length, 'difference') : '');
        this.marks.show(view, parts.map((it) => it.right));
    }

    private newColumn(name: string): Column {
        const view = new TextView(this.scroller);
        const counts = element('span.column-counts');
        const select = button('Select', () => this.select(name));
        select.setAttribute('aria-label', `Select case ${name}`);
        const error = element('p.column-error', { hidden: true });
        const differing = element('span.column-counts');
        const head = element('div.column-head', {}, element('h3', {}, name), counts, differing, select);
        const made = element('section.column', { 'aria-label': `Case ${name}` }, head, error, view.element);
        const column: Column = {
            ...{ element: made, counts, select, error, view, differing },
            preview: undefined,
            request: new CoalescedRequest(
                (params) => this.request(params),
                (preview) => preview && this.columns.get(name) === column && this.draw(column, preview),
                ({ message }) => {
                    error.hidden = false;
                    setText(error, message);
                },
            ),
            comparing: new CoalescedRequest(
                (sides) => this.compare(sides),
                (comparison) => this.columns.get(name) === column && this.showDiffering(column, comparison ?? undefined),
                () => this.showDiffering(column, undefined),
            ),
        };
        return column;
    }
}
