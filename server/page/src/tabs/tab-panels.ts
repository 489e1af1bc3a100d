/** The panels of the tabs, of which one is visible; or a message while there is no text. */

import type { TabName } from '../page-state';
import type { MappedView } from '../text/mapped-view';
import type { TextView } from '../text/text-view';
import { element, setText } from '../widgets/dom';
import type { TabContent, Tab } from './tab';

export class TabPanels {
    readonly element = element('main.tab-panels');
    private readonly empty = element('p.empty.nothing', { hidden: true, role: 'status' });

    constructor(
        private readonly tabs: readonly [Tab, ...Tab[]],
        private shown: TabName,
    ) {
        this.element.append(this.empty, ...tabs.map((it) => it.element));
        const resized = () => this.textViews.forEach((it) => it.resized());
        new ResizeObserver(resized).observe(this.element);
        // Fonts change the height of rows when they are loaded.
        void document.fonts?.ready.then(resized);
        for (const { scroller } of tabs) {
            scroller.addEventListener('scroll', () => this.textViews.forEach((it) => it.fillVisible()), { passive: true });
        }
    }

    /** The current tab. */
    get current(): Tab {
        return this.tabs.find((it) => it.name === this.shown) ?? this.tabs[0];
    }

    get textViews(): readonly TextView[] {
        return this.current.textViews;
    }

    /** The views with a source map. */
    get mappedViews(): readonly MappedView[] {
        return this.current.mappedViews;
    }

    /** Shows a tab, which is drawn later. */
    show(name: TabName): void {
        this.shown = name;
        for (const tab of this.tabs) {
            tab.element.hidden = tab.name !== name;
        }
    }

    /** Draws the current tab; returns the number of redrawn blocks. */
    draw(content: TabContent): number {
        this.empty.hidden = true;
        this.element.classList.remove('is-empty');
        return this.current.show(content);
    }

    /** Shows a message instead of a tab. */
    showMessage(message: string): void {
        this.empty.hidden = false;
        setText(this.empty, message);
        this.element.classList.add('is-empty');
    }
}
