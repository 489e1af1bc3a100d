/** Navigation between the text, the prompt and the editor; highlights the output of a placeholder. */

import type { Location, Position } from '../host/protocol';
import type { TabPanels } from '../tabs/tab-panels';
import type { TextTab } from '../tabs/text-tab';
import { runsAt } from '../text/source-map';
import { locationName } from '../widgets/words';
import type { Scrolling } from './scrolling';

export interface NavigationActs {
    /** The prompt that is shown. */
    uri(): string | undefined;
    /** Whether an editor can show places. */
    canReveal(): boolean;
    reveal(location: Location): void;
    showMessage(words: string): void;
    /** Shows the tab of the resolved text. */
    showText(): void;
}

export class Navigation {
    /** The cursor position of the editor, or the last target of navigation. */
    private cursor: { uri: string; position: Position } | undefined;

    constructor(
        private readonly panels: TabPanels,
        private readonly textTab: TextTab,
        private readonly scrolling: Scrolling,
        private readonly acts: NavigationActs,
    ) {}

    /** Sets the cursor position. `reveal`: scrolls its output into view. */
    setCursor(uri: string, position: Position, reveal: boolean): void {
        this.cursor = { uri, position };
        this.light();
        if (reveal && uri === this.acts.uri()) {
            this.showLit(position);
        }
    }

    /**
     * Scrolls the output of a position into view, unless some of it starts in the view: after a
     * click on it, the view stays.
     */
    private showLit(position: Position): void {
        const { current } = this.panels;
        const { top, bottom } = current.scroller.getBoundingClientRect();
        const lit = [...current.element.querySelectorAll('.lit')];
        const isSeen = lit.some((it) => it.getBoundingClientRect().top >= top && it.getBoundingClientRect().top < bottom);
        if (current === this.textTab && !isSeen) {
            this.scrolling.toPosition(position);
        } else if (!isSeen) {
            lit[0]?.scrollIntoView({ block: 'center' });
        }
    }

    /** Highlights the output of the placeholder at the cursor, in all views. */
    light(): void {
        const position = this.cursor?.uri === this.acts.uri() ? this.cursor?.position : undefined;
        for (const view of this.panels.mappedViews) {
            const runs = position === undefined ? [] : runsAt(view.map, position);
            view.light(new Set(runs.filter((it) => view.map[it]?.kind !== 'literal')));
        }
    }

    /** Shows a place in the editor; without an editor, displays its name. */
    go(location: Location): void {
        const canReveal = this.acts.canReveal();
        if (canReveal) {
            this.acts.reveal(location);
        } else {
            this.acts.showMessage(locationName(location));
        }
        if (location.uri === this.acts.uri()) {
            // Its output is highlighted here, too, with or without an editor.
            this.setCursor(location.uri, location.range.start, !canReveal);
        }
    }

    /** Shows the first output of a placeholder, and highlights all of its output. */
    goToOutput(path: string): void {
        this.acts.showText();
        const { view } = this.textTab;
        const runs = view.map.flatMap((it, index) => (it.path === path && it.kind !== 'literal' ? [index] : []));
        if (runs[0] !== undefined) {
            this.scrolling.toRun(runs[0]);
            view.light(new Set(runs));
        }
    }

    goToOffset(offset: number | undefined): void {
        this.acts.showText();
        if (offset !== undefined) {
            this.scrolling.toOffset(offset);
        }
    }
}
