/** Navigation between the text, the prompt and the editor; and lighting what a placeholder became. */

import type { Location, Position } from '../host/protocol';
import type { TabPanels } from '../tabs/tab-panels';
import type { TextTab } from '../tabs/text-tab';
import { runsAt } from '../text/source-map';
import { locationName } from '../widgets/words';
import type { Scrolling } from './scrolling';

export interface NavigationActs {
    /** The prompt that is shown. */
    uri(): string | undefined;
    /** Whether an editor is there to go to. */
    canReveal(): boolean;
    reveal(location: Location): void;
    say(words: string): void;
    /** Shows the tab of the text itself. */
    showText(): void;
}

export class Navigation {
    /** Where the cursor of the editor is, or what was gone to last. */
    private cursor: { uri: string; position: Position } | undefined;

    constructor(
        private readonly panels: TabPanels,
        private readonly textTab: TextTab,
        private readonly scrolling: Scrolling,
        private readonly acts: NavigationActs,
    ) {}

    /** The cursor is there. `reveal`: brings what that became into view. */
    setCursor(uri: string, position: Position, reveal: boolean): void {
        this.cursor = { uri, position };
        this.light();
        if (reveal && uri === this.acts.uri()) {
            this.showLit(position);
        }
    }

    /** Brings what a place became into view, unless some of it starts there: who clicks on that stays with it. */
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

    /** Lights what the placeholder at the cursor became, in whatever is shown. */
    light(): void {
        const position = this.cursor?.uri === this.acts.uri() ? this.cursor?.position : undefined;
        for (const view of this.panels.mappedViews) {
            const runs = position === undefined ? [] : runsAt(view.map, position);
            view.light(new Set(runs.filter((it) => view.map[it]?.kind !== 'literal')));
        }
    }

    /** Shows a place in the editor; without one, says where it is. */
    go(location: Location): void {
        const canReveal = this.acts.canReveal();
        if (canReveal) {
            this.acts.reveal(location);
        } else {
            this.acts.say(locationName(location));
        }
        if (location.uri === this.acts.uri()) {
            // What it became is lit here, too, whoever has an editor.
            this.setCursor(location.uri, location.range.start, !canReveal);
        }
    }

    /** Shows what a placeholder became first, and lights all that it became. */
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
