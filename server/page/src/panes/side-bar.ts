/** The side bar: inputs, size and problems. */

import type { Location } from '../host/protocol';
import type { PageState } from '../page-state';
import { element } from '../widgets/dom';
import { type InputsActs, InputsPane } from './inputs-pane';
import { Pane } from './pane';
import { ProblemsPane } from './problems-pane';
import { type SizeActs, SizePane } from './size-pane';

export interface SideBarActs {
    inputs: InputsActs;
    size: SizeActs;
    go(location: Location): void;
    /** Stores the user's preferences. */
    remember(some: Partial<Pick<PageState, 'showsSide' | 'closed'>>): void;
    /** Called when a pane becomes visible. */
    opened(): void;
}

export class SideBar {
    readonly element = element('aside.side', { 'aria-label': 'Inputs, size and problems' });
    readonly inputs: InputsPane;
    readonly size: SizePane;
    readonly problems: ProblemsPane;

    constructor(
        private closed: readonly string[],
        private readonly acts: SideBarActs,
    ) {
        this.inputs = new InputsPane(this.pane('Inputs', 'inputs'), acts.inputs);
        this.size = new SizePane(this.pane('Size', 'size'), acts.size);
        this.problems = new ProblemsPane(this.pane('Problems', 'problems'), (location) => acts.go(location));
        this.element.append(...[this.inputs, this.size, this.problems].map((it) => it.pane.element));
    }

    private pane(title: string, name: string): Pane {
        return new Pane(title, name, !this.closed.includes(name), (isOpen) => {
            const others = this.closed.filter((it) => it !== name);
            this.closed = isOpen ? others : [...others, name];
            this.acts.remember({ closed: [...this.closed] });
            if (isOpen) {
                this.acts.opened();
            }
        });
    }

    show(isShown: boolean): void {
        this.element.hidden = !isShown;
        this.acts.remember({ showsSide: isShown });
        if (isShown) {
            this.acts.opened();
        }
    }

    /** Opens and focuses a pane. */
    open({ pane }: { pane: Pane }): void {
        pane.open(true);
        pane.focus();
        pane.element.scrollIntoView({ block: 'nearest' });
    }
}
