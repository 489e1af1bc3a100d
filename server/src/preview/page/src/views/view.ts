/** What a view of the text is. */

import type { Flow } from '../flow';
import type { IconName } from '../icons';
import type { Preview } from '../protocol';
import type { ViewName } from '../remembered';
import type { Tints } from '../tints';

/** What views show. */
export interface Model {
    preview: Preview;
    tints: Tints;
    showsWhitespace: boolean;
    /** How far the text is the same in all cases, and what to say where that ends. */
    prefix: { end: number; label: string } | undefined;
}

export interface View {
    readonly name: ViewName;
    readonly label: string;
    readonly icon: IconName;
    /** The panel of its tab. */
    readonly element: HTMLElement;
    /** What scrolls in it. */
    readonly scroller: HTMLElement;
    /** Its texts, in order, as far as these come from the map. */
    readonly flows: readonly Flow[];
    /** Draws, and says how many blocks were drawn anew. */
    show(model: Model): number;
    /** Goes to the next place of interest, or with -1 to the one before. Without it, that is the next value. */
    go?(step: 1 | -1): void;
}
