/** A comparison of two texts: two cases, or one case at two revisions, or with the text in a store. */

import { type DiffLayout, DiffTable } from '../compare/diff-table';
import { CoalescedRequest } from '../host/coalesced-request';
import type { CompareParams, Comparison, Preview, Side } from '../host/protocol';
import type { TextView } from '../text/text-view';
import { Choice, button, iconButton, press, toggle } from '../widgets/controls';
import { element, setText } from '../widgets/dom';
import { capitalized, count, revisionName, sideName } from '../widgets/words';
import { type TabContent, Tab } from './tab';

type Sides = Pick<CompareParams, 'left' | 'right'>;

const lastCommit = 'HEAD';

/** The option for a revision that the user types. */
const other = 'other';

export class CompareTab extends Tab {
    readonly textViews: TextView[] = [];
    private readonly left = new Choice('Left text', (value) => this.choose('left', value));
    private readonly right = new Choice('Right text', (value) => this.choose('right', value));
    private readonly revision = element('input.revision', {
        ...{ type: 'text', hidden: true, autocomplete: 'off', spellcheck: 'false' },
        ...{ 'aria-label': 'Revision: a branch, a tag or a commit', placeholder: 'Branch, tag or commit' },
    });
    private readonly summary = element('span.summary', { role: 'status' });
    private readonly message = element('p.empty', { hidden: true });
    private readonly table = new DiffTable(() => this.body.focus({ preventScroll: true }));
    private readonly body = element('div.compare-body', { tabindex: 0, role: 'region', 'aria-label': 'Differences' }, this.message, this.table.element);
    private readonly inline: HTMLButtonElement;
    private readonly all: HTMLButtonElement;
    private readonly request: CoalescedRequest<Sides, Comparison | null>;
    /** The pair that the user selected; if `undefined`, the pair depends on the selected case. */
    private chosen: Sides | undefined;
    /** The revision to compare the selected case with; if `undefined`, another case if there is one. */
    private since: string | undefined;
    private comparison: Comparison | undefined;
    private preview: Preview | undefined;
    /** The requested revisions, besides the current state. */
    private revisions = [lastCommit];
    /** The side whose revision the user is typing. */
    private typedSide: keyof Sides = 'left';
    /** Whether any revision can be requested, not only previous ones. */
    canAsk = false;

    constructor(
        request: (sides: Sides) => Promise<Comparison | null>,
        private readonly layout: DiffLayout,
        private readonly layoutChanged: (layout: DiffLayout) => void,
    ) {
        super('compare', 'Compare', 'Changes');
        const name = 'Side by side';
        this.inline = toggle('rows', 'Both texts in one column', layout.isInline, (isOn) => this.changeLayout({ isInline: isOn }));
        this.all = toggle('fold', 'Hide unchanged lines', !layout.showsAll, (isOn) => this.changeLayout({ showsAll: !isOn }));
        const swap = iconButton('swap', 'Swap the texts', () => this.swap());
        const previous = iconButton('previous', 'Previous change (Shift+N)', () => this.go(-1));
        const next = iconButton('next', 'Next change (N)', () => this.go(1));
        const bar = element(
            'div.compare-bar',
            { role: 'group', 'aria-label': name },
            ...[this.left.element, swap, this.right.element, this.revision],
            button('Last commit', () => this.compareWith(lastCommit)),
            this.summary,
            element('span.compare-acts', {}, previous, next, this.all, this.inline),
        );
        this.revision.addEventListener('keydown', (event) => this.typedIn(event));
        this.revision.addEventListener('blur', () => (this.revision.hidden = true));
        this.element.removeAttribute('tabindex');
        this.element.append(bar, this.body);
        this.request = new CoalescedRequest(
            request,
            (comparison) => this.take(comparison),
            ({ message }) => this.showMessage(message),
        );
    }

    override get scroller(): HTMLElement {
        return this.body;
    }

    show({ preview }: TabContent): number {
        const isOtherCase = preview.case !== this.preview?.case;
        this.preview = preview;
        if (this.chosen !== undefined && !(this.isThere(this.chosen.left) && this.isThere(this.chosen.right))) {
            this.chosen = undefined;
        }
        if (this.chosen === undefined && isOtherCase) {
            this.table.startOver();
        }
        this.compare();
        return 0;
    }

    /** Compares the selected case with a revision, once there is a prompt. */
    compareWith(revision: string): void {
        this.offer(revision);
        this.since = revision;
        this.chosen = undefined;
        this.table.startOver();
        this.compare();
    }

    private get sides(): Sides | undefined {
        const { chosen, since, preview } = this;
        if (chosen !== undefined || preview === undefined) {
            return chosen;
        }
        return since === undefined ? usualSides(preview) : sinceThen(preview, since);
    }

    private offer(revision: string): void {
        if (!this.revisions.includes(revision)) {
            this.revisions.push(revision);
        }
    }

    private compare(): void {
        const { sides } = this;
        if (sides !== undefined) {
            this.showChoices();
            this.request.send(sides);
        }
    }

    private compareChosen(sides: Sides): void {
        this.chosen = sides;
        this.compare();
    }

    /** Clears the selection for another prompt. The revision for the first prompt is kept. */
    forget(): void {
        if (this.preview !== undefined) {
            this.since = undefined;
        }
        this.chosen = undefined;
        this.preview = undefined;
        this.request.cancel();
        this.take(null);
    }

    private isThere({ case: name }: Side): boolean {
        const cases = this.preview?.cases ?? [];
        return name === undefined ? cases.length === 0 : cases.some((it) => it.name === name);
    }

    private showChoices(): void {
        const { sides: pair } = this;
        const names = this.preview?.cases.map((it) => it.name) ?? [];
        const sides: Side[] = names.length > 0 ? names.map((it) => ({ case: it })) : [{}];
        const option = (side: Side) => ({ value: JSON.stringify(side), label: sideName(side) });
        const groups = [
            { label: 'Now', options: sides.map(option) },
            ...this.revisions.map((revision) => ({
                label: capitalized(revisionName(revision)),
                options: sides.map((it) => option({ ...it, revision })),
            })),
            ...(this.canAsk ? [{ options: [{ value: other, label: 'Another revision…' }] }] : []),
        ];
        this.left.show(groups, JSON.stringify(pair?.left));
        this.right.show(groups, JSON.stringify(pair?.right));
    }

    private choose(side: keyof Sides, value: string): void {
        if (value === other) {
            this.typedSide = side;
            this.revision.hidden = false;
            this.revision.value = '';
            this.revision.focus();
            this.showChoices();
        } else if (this.sides !== undefined) {
            this.table.startOver();
            this.compareChosen({ ...this.sides, [side]: JSON.parse(value) as Side });
        }
    }

    private typedIn({ key }: KeyboardEvent): void {
        const revision = this.revision.value.trim();
        if (key === 'Escape' || (key === 'Enter' && revision !== '')) {
            this[this.typedSide].element.focus();
        }
        if (key === 'Enter' && revision !== '' && this.sides !== undefined) {
            this.offer(revision);
            this.table.startOver();
            this.compareChosen({ ...this.sides, [this.typedSide]: { ...this.sides[this.typedSide], revision } });
        }
    }

    private swap(): void {
        if (this.sides !== undefined) {
            this.compareChosen({ left: this.sides.right, right: this.sides.left });
        }
    }

    private changeLayout(change: Partial<DiffLayout>): void {
        Object.assign(this.layout, change);
        press(this.inline, this.layout.isInline);
        press(this.all, !this.layout.showsAll);
        this.layoutChanged(this.layout);
        this.draw();
    }

    private take(comparison: Comparison | null): void {
        this.comparison = comparison ?? undefined;
        this.draw();
    }

    private showMessage(message: string): void {
        this.comparison = undefined;
        this.draw();
        this.message.hidden = false;
        this.message.replaceChildren(message);
    }

    private draw(): void {
        const { comparison } = this;
        if (comparison === undefined) {
            this.message.hidden = true;
            this.table.clear();
            setText(this.summary, '');
            return;
        }
        const changes = changesIn(comparison);
        this.message.hidden = changes > 0;
        setText(this.message, changes > 0 ? '' : 'Both texts are the same.');
        setText(this.summary, changes > 0 ? count(changes, 'change') : 'No changes');
        this.table.show(comparison, this.layout);
    }

    /** Goes to the next change. */
    override go(step: 1 | -1): void {
        const at = this.table.go(step);
        if (at !== undefined && this.comparison !== undefined) {
            setText(this.summary, `${at + 1} of ${count(changesIn(this.comparison), 'change')}`);
        }
    }
}

function changesIn({ parts }: Comparison): number {
    return parts.filter((it) => !it.same).length;
}

/** The selected case and another one; without another one, the last commit. */
function usualSides(preview: Preview): Sides {
    const { case: current, cases } = preview;
    const other = cases.find((it) => it.name !== current);
    return current !== null && other ? { left: { case: current }, right: { case: other.name } } : sinceThen(preview, lastCommit);
}

/** The selected case at a revision and now. */
function sinceThen({ case: current }: Preview, revision: string): Sides {
    const now: Side = current === null ? {} : { case: current };
    return { left: { ...now, revision }, right: now };
}
