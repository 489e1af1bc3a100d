/** What all tabs have: one way to look at the text. */

import type { Preview } from '../host/protocol';
import type { TabName } from '../page-state';
import type { MappedView } from '../text/mapped-view';
import type { TextView } from '../text/text-view';
import type { Tints } from '../text/tints';
import { element } from '../widgets/dom';

/** What tabs show. */
export interface TabContent {
    preview: Preview;
    tints: Tints;
    showsWhitespace: boolean;
    /** How far the text is the same in all cases, and what to say where that ends. */
    prefix: { end: number; label: string } | undefined;
}

export abstract class Tab {
    /** Its panel, which can be scrolled by keys. */
    readonly element: HTMLElement;

    /** `label` stands on the tab, `words` say what is in the panel. */
    constructor(
        readonly name: TabName,
        readonly label: string,
        words: string,
    ) {
        this.element = element(`div.tab-panel.${name}-panel`, { id: `${name}-panel`, role: 'tabpanel', 'aria-label': words, tabindex: 0 });
    }

    /** What scrolls in it. */
    get scroller(): HTMLElement {
        return this.element;
    }

    /** Its texts, in order, as they are sent. */
    abstract readonly textViews: readonly TextView[];

    /** What can be pointed at and lit in it. */
    get mappedViews(): readonly MappedView[] {
        return this.textViews;
    }

    /** Draws, and says how many blocks were drawn anew. */
    abstract show(content: TabContent): number;
    /** Goes to the next place of interest, or with -1 to the one before. Without it, that is the next value. */
    go?(step: 1 | -1): void;
}
