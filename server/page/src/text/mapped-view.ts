/** A text on the page with a source map, which supports tooltips and highlights. */

import type { Run } from '../host/protocol';

export interface MappedView {
    readonly element: HTMLElement;
    /** The text of the map. */
    readonly text: string;
    readonly map: readonly Run[];
    /** The visible part of the text. */
    readonly range: readonly [number, number];
    /** The index of the run that contains a node; `undefined` for literal text. */
    runOf(node: Node): number | undefined;
    /** The first element of a run, if any of it is visible. */
    elementOf(run: number): HTMLElement | undefined;
    /** The offset in the text of a DOM position; `undefined` if it is elsewhere or unknown. */
    offsetOf(node: Node, at: number): number | undefined;
    /** Highlights these runs, and no others. */
    light(runs: ReadonlySet<number>): void;
}
