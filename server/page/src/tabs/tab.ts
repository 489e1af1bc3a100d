/** What a view of the text is. */

import { element } from '../widgets/dom';
import type { Flow } from '../text/text-view';
import type { Preview } from '../host/protocol';
import type { ViewName } from '../page-state';
import type { Tints } from '../text/tints';
import type { Traced } from '../text/mapped-view';

/** What views show. */
export interface Model {
    preview: Preview;
    tints: Tints;
    showsWhitespace: boolean;
    /** How far the text is the same in all cases, and what to say where that ends. */
    prefix: { end: number; label: string } | undefined;
}

export abstract class View {
    /** The panel of its tab; it can be scrolled by keys. */
    readonly element: HTMLElement;

    /** `label` stands on the tab, `words` say what is in the panel. */
    constructor(
        readonly name: ViewName,
        readonly label: string,
        words: string,
    ) {
        this.element = element(`div.view.view-${name}`, { id: `view-${name}`, role: 'tabpanel', 'aria-label': words, tabindex: 0 });
    }

    /** What scrolls in it. */
    get scroller(): HTMLElement {
        return this.element;
    }

    /** Its texts, in order, as they are sent. */
    abstract readonly flows: readonly Flow[];

    /** What can be pointed at and lit in it. */
    get traced(): readonly Traced[] {
        return this.flows;
    }

    /** Draws, and says how many blocks were drawn anew. */
    abstract show(model: Model): number;
    /** Goes to the next place of interest, or with -1 to the one before. Without it, that is the next value. */
    go?(step: 1 | -1): void;
}
