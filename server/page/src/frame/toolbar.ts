/** The row above the text: the case, the tabs, and the commands. */

import type { Preview } from '../host/protocol';
import type { TabName } from '../page-state';
import type { Tab } from '../tabs/tab';
import { Choice, iconButton, press, relabel, toggle } from '../widgets/controls';
import { element, setText } from '../widgets/dom';
import { icon } from '../widgets/icons';
import { counted, fileName } from '../widgets/words';

export interface ToolbarActs {
    selectCase(name: string): void;
    newCase(): void;
    show(tab: TabName): void;
    setWhitespace(isOn: boolean): void;
    setScrollsTogether(isOn: boolean): void;
    setPinned(isPinned: boolean): void;
    setSide(isShown: boolean): void;
    copy(): void;
    save(): void;
    help(): void;
}

export class Toolbar {
    readonly element: HTMLElement;
    readonly newCase: HTMLButtonElement;
    readonly side: HTMLButtonElement;
    private readonly cases: Choice;
    private readonly task = element('span.task', { hidden: true });
    private readonly tabs: HTMLButtonElement[];
    private readonly whitespace: HTMLButtonElement;
    private readonly sync: HTMLButtonElement;
    private readonly pin: HTMLButtonElement;
    private readonly copy: HTMLButtonElement;
    private copied = 0;
    private hasCases = false;
    private isCaseOfUse = true;

    constructor(
        tabs: readonly Tab[],
        on: { showsWhitespace: boolean; scrollsTogether: boolean; showsSide: boolean },
        acts: ToolbarActs,
    ) {
        this.cases = new Choice('Case', (name) => acts.selectCase(name));
        this.cases.element.classList.add('case');
        this.newCase = iconButton('add', 'New case…', () => acts.newCase());
        this.newCase.setAttribute('aria-expanded', 'false');
        this.tabs = tabs.map((tab) => this.tabButton(tab, () => acts.show(tab.name)));
        const row = element('div.tabs', { role: 'tablist', 'aria-label': 'View' }, ...this.tabs);
        row.addEventListener('keydown', (event) => this.moveAmong(this.tabs, event, true));

        this.whitespace = toggle('whitespace', 'Show white space (W)', on.showsWhitespace, acts.setWhitespace);
        this.sync = toggle('sync', 'Scroll together with the editor', on.scrollsTogether, acts.setScrollsTogether);
        this.pin = toggle('pin', 'Pin to this prompt', false, acts.setPinned);
        this.copy = iconButton('copy', 'Copy the text (C)', () => acts.copy());
        const save = iconButton('save', 'Save the text as a file…', () => acts.save());
        this.side = toggle('side', 'Inputs, size and problems', on.showsSide, acts.setSide);
        const help = iconButton('help', 'Keys (?)', () => acts.help());
        const actions = [this.whitespace, this.sync, this.pin, this.copy, save, this.side, help];
        const bar = element('div.actions', { role: 'toolbar', 'aria-label': 'Preview' }, ...actions);
        bar.addEventListener('keydown', (event) => this.moveAmong(actions, event, false));
        bar.addEventListener('focusin', ({ target }) => this.rove(actions, target as Element));
        this.rove(actions, this.whitespace);

        const chosen = element('div.case-bar', {}, this.task, this.cases.element, this.newCase);
        this.element = element('header.toolbar', {}, chosen, row, bar);
    }

    private tabButton({ name, label }: Tab, show: () => void): HTMLButtonElement {
        const made = element('button.tab', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `${name}-panel` }, icon(name), element('span.tab-label', {}, label));
        made.addEventListener('click', show);
        return made;
    }

    /** Moves the focus among the buttons of a row with arrow keys. */
    private moveAmong(buttons: readonly HTMLButtonElement[], event: KeyboardEvent, alsoClicks: boolean): void {
        const shown = buttons.filter((it) => !it.hidden);
        const at = shown.indexOf(document.activeElement as HTMLButtonElement);
        const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
        if (at === -1 || next === undefined) {
            return;
        }
        event.preventDefault();
        const to = shown[(next + shown.length) % shown.length];
        to?.focus();
        if (alsoClicks) {
            to?.click();
        }
    }

    /** Makes one button of a row reachable by Tab: the one that had the focus last. */
    private rove(buttons: readonly HTMLButtonElement[], to: Element): void {
        const target = to.closest('button');
        buttons.forEach((it) => it.setAttribute('tabindex', it === target ? '0' : '-1'));
    }

    showTab(name: TabName): void {
        for (const tab of this.tabs) {
            const isShown = tab.id === `tab-${name}`;
            tab.setAttribute('aria-selected', String(isShown));
            tab.setAttribute('tabindex', isShown ? '0' : '-1');
        }
    }

    /** Shows the prompt of a pack, and its cases. */
    showCases({ uri, task, cases, case: current }: Pick<Preview, 'uri' | 'task' | 'cases' | 'case'>): void {
        this.task.hidden = task === undefined;
        setText(this.task, task ?? '');
        this.task.dataset['tip'] = `The prompt ${task} of ${fileName(uri)}`;
        const options = cases.map((it) => {
            // The problems of the current case are on the page, and would make the control too
            // wide.
            const words = it.name === current ? '' : counted(it);
            return { value: it.name, label: words ? `${it.name} – ${words}` : it.name };
        });
        this.cases.show([{ options }], current ?? '');
        this.hasCases = cases.length > 0;
        this.showCase();
        relabel(this.newCase, cases.length === 0 ? 'Create inputs…' : 'New case…');
    }

    /** Whether the selected case has an effect. */
    set caseCounts(counts: boolean) {
        this.isCaseOfUse = counts;
        this.showCase();
    }

    private showCase(): void {
        this.cases.element.hidden = !this.hasCases || !this.isCaseOfUse;
    }

    /** Hides commands that the host does not support. */
    showCan(can: { reveal: boolean; follow: boolean; edit: boolean }): void {
        this.sync.hidden = !can.reveal;
        this.pin.hidden = !can.follow;
        this.newCase.hidden = !can.edit;
    }

    showPinned(isPinned: boolean): void {
        press(this.pin, isPinned);
        relabel(this.pin, isPinned ? 'Pinned to this prompt' : 'Pin to this prompt');
    }

    clickWhitespace(): void {
        this.whitespace.click();
    }

    showCopied(): void {
        clearTimeout(this.copied);
        this.copy.replaceChildren(icon('check'));
        this.copied = window.setTimeout(() => this.copy.replaceChildren(icon('copy')), 1500);
    }
}
