/**
 * Marks ranges of texts without changing their nodes: the browser paints them with the rule
 * `::highlight(differs)`. A browser without support for highlights marks nothing.
 */

import type { TextView } from './text-view';

/** The maximum number of marks; more could not be distinguished anyway. */
const most = 500;

export class Marks {
    private readonly byView = new Map<TextView, Range[]>();

    /** Replaces the marks of a view. */
    show(view: TextView, stretches: readonly (readonly [start: number, end: number])[]): void {
        this.byView.set(view, stretches.slice(0, most).flatMap(([start, end]) => rangeOf(view, start, end) ?? []));
        this.paint();
    }

    forget(view: TextView): void {
        this.byView.delete(view);
        this.paint();
    }

    private paint(): void {
        globalThis.CSS.highlights?.set('differs', new Highlight(...[...this.byView.values()].flat()));
    }
}

function rangeOf(view: TextView, start: number, end: number): Range | undefined {
    const [from, to] = [view.domPositionOf(start), view.domPositionOf(end)];
    if (from === undefined || to === undefined || start === end) {
        return undefined;
    }
    const range = document.createRange();
    range.setStart(from.node, from.at);
    range.setEnd(to.node, to.at);
    return range;
}
