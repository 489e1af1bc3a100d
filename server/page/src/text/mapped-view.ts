/** A text on the page that knows where its pieces come from: what can be pointed at, and lit. */

import type { Run } from '../host/protocol';

export interface MappedView {
    readonly element: HTMLElement;
    /** The text that the map is about. */
    readonly text: string;
    readonly map: readonly Run[];
    /** Which part of the text is shown. */
    readonly range: readonly [number, number];
    /** The run of the map that a node is in, if it is no literal text. */
    runOf(node: Node): number | undefined;
    /** The first element of a run, if anything of it is shown. */
    elementOf(run: number): HTMLElement | undefined;
    /** The offset in the text of a place between nodes; `undefined` if it is not in here, or nobody knows. */
    offsetOf(node: Node, at: number): number | undefined;
    /** Lights up runs, and nothing else. */
    light(runs: ReadonlySet<number>): void;
}
