/** Moves the focus among the values of all views on the page. */

import type { Run } from '../host/protocol';
import type { MappedView } from '../text/mapped-view';

/** Moves the focus to the next value of some views, wrapping around; with -1 to the previous one. */
export function focusNextValue(views: readonly MappedView[], step: 1 | -1): void {
    const active = document.activeElement;
    const current = active instanceof HTMLElement && active.dataset['run'] !== undefined ? active : undefined;
    const at = current ? views.findIndex((it) => it.element.contains(current)) : -1;
    let index = at === -1 ? (step === 1 ? 0 : views.length - 1) : at;
    let run = current && at !== -1 ? views[at]?.runOf(current) : undefined;
    for (let tries = 0; tries <= views.length; tries++) {
        const view = views[index];
        if (view === undefined) {
            return;
        }
        const span = nextElement(view, run, step);
        if (span !== undefined) {
            focusRun(span);
            return;
        }
        index = (index + step + views.length) % views.length;
        run = undefined;
    }
}

/** The next visible run, or the previous one. */
function nextElement(view: MappedView, from: number | undefined, step: 1 | -1): HTMLElement | undefined {
    const { map } = view;
    const [start, end] = view.range;
    for (let index = from === undefined ? (step === 1 ? 0 : map.length - 1) : from + step; map[index]; index += step) {
        const { kind, output } = map[index] as Run;
        const isHere = output[0] >= start && output[1] <= end;
        const found = kind !== 'literal' && isHere ? view.elementOf(index) : undefined;
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/** Focuses a piece of the text. */
function focusRun(span: HTMLElement): void {
    span.setAttribute('tabindex', '-1');
    // It has a target, so it has the role of a link while it has the focus.
    span.setAttribute('role', 'link');
    span.scrollIntoView({ block: 'nearest' });
    span.focus({ preventScroll: true });
}
