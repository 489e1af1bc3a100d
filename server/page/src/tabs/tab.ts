/** The common part of all tabs, each a view of the text. */

import type { Preview } from '../host/protocol';
import type { TabName } from '../page-state';
import type { MappedView } from '../text/mapped-view';
import type { TextView } from '../text/text-view';
import type { Tints } from '../text/tints';
import { element } from '../widgets/dom';

/** The data of the tabs. */
export interface TabContent {
    preview: Preview;
    tints: Tints;
    showsWhitespace: boolean;
    /** The end of the prefix that is identical in all cases, and its label. */
    prefix: { end: number; label: string } | undefined;
}

export abstract class Tab {
    /** Its panel, which can be scrolled by keyboard. */
    readonly element: HTMLElement;

    /** `label` is the title of the tab, `words` describe the panel. */
    constructor(
        readonly name: TabName,
        readonly label: string,
        words: string,
    ) {
        this.element = element(`div.tab-panel.${name}-panel`, { id: `${name}-panel`, role: 'tabpanel', 'aria-label': words, tabindex: 0 });
    }

    /** Its scrolling element. */
    get scroller(): HTMLElement {
        return this.element;
    }

    /** Its texts in order, as they are sent. */
    abstract readonly textViews: readonly TextView[];

    /** Its views with a source map. */
    get mappedViews(): readonly MappedView[] {
        return this.textViews;
    }

    /** Draws the tab; returns the number of redrawn blocks. */
    abstract show(content: TabContent): number;
    /**
     * Goes to the next place of interest, or with -1 to the previous one. Tabs without it go to the
     * next value.
     */
    go?(step: 1 | -1): void;
}
