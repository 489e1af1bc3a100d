/** The problems of the prompt in the current case. */

import type { Location, Problem, Severity } from '../host/protocol';
import { shortText } from '../text/draw-text';
import { element, setChildren } from '../widgets/dom';
import { icon } from '../widgets/icons';
import { reuseByKey } from '../widgets/keyed-nodes';
import { counted, locationName } from '../widgets/words';
import type { Pane } from './pane';

const icons = { error: 'error', warning: 'warning', info: 'info', hint: 'info' } as const;
const order: Severity[] = ['error', 'warning', 'info', 'hint'];

export class ProblemsPane {
    private readonly none = element('p.empty', {}, 'No problems.');
    private readonly list = element('ul.problems');
    private drawn: { key: string; element: HTMLElement }[] = [];

    constructor(
        readonly pane: Pane,
        private readonly go: (location: Location) => void,
    ) {
        pane.body.append(this.none, this.list);
    }

    show(problems: readonly Problem[]): void {
        const sorted = [...problems].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
        const keys = sorted.map((it) => JSON.stringify(it));
        this.drawn = reuseByKey(this.drawn, keys, (key, index) => ({ key, element: this.item(sorted[index] as Problem) }));
        setChildren(this.list, this.drawn.map((it) => it.element));
        this.none.hidden = problems.length > 0;
        const number = (severity: Severity) => problems.filter((it) => it.severity === severity).length;
        const others = problems.length - number('error') - number('warning');
        const words = counted({ errors: number('error'), warnings: number('warning') });
        this.pane.showNote([words, others > 0 ? `${others} more` : ''].filter(Boolean).join(', '));
    }

    private item({ severity, message, code, location, related }: Problem): HTMLElement {
        const to = (place: Location, ...words: (Node | string)[]) => {
            const made = element('button.problem-place', { type: 'button' }, ...words);
            made.addEventListener('click', () => this.go(place));
            return made;
        };
        const name = element('span.visually-hidden', {}, `${severity}: `);
        const place = element('span.place', {}, shortText(locationName(location)));
        const what = to(location, icon(icons[severity]), name, element('span.problem-message', {}, shortText(message)), ' ', element('span.code', {}, code), ' ', place);
        const more = related.map((it) => to(it.location, element('span.problem-message', {}, shortText(it.message)), ' ', element('span.place', {}, locationName(it.location))));
        return element(`li.problem.${severity as 'error'}`, {}, what, ...more);
    }
}
