/** Going to places, in the editor and in the text, and lighting what a placeholder became. */

import { runsAt } from '../text/source-map';
import type { Location, Position } from '../host/protocol';
import type { Scrolling } from './scrolling';
import type { Stage } from '../tabs/tab-panels';
import type { TextView } from '../tabs/text-tab';
import { placeName } from '../widgets/words';

export interface PlacesActs {
    /** The prompt that is shown. */
    uri(): string | undefined;
    /** Whether an editor is there to go to. */
    canReveal(): boolean;
    reveal(location: Location): void;
    say(words: string): void;
    /** Has the text itself on the stage. */
    showText(): void;
}

export class Places {
    /** Where the cursor of the editor is, or what was gone to last. */
    private cursor: { uri: string; position: Position } | undefined;

    constructor(
        private readonly stage: Stage,
        private readonly text: TextView,
        private readonly scrolling: Scrolling,
        private readonly acts: PlacesActs,
    ) {}

    /** The cursor is there. `reveal`: brings what that became into view. */
    point(uri: string, position: Position, reveal: boolean): void {
        this.cursor = { uri, position };
        this.light();
        if (reveal && uri === this.acts.uri()) {
            this.showLit(position);
        }
    }

    /** Brings what a place became into view, unless some of it starts there: who clicks on that stays with it. */
    private showLit(position: Position): void {
        const { view } = this.stage;
        const { top, bottom } = view.scroller.getBoundingClientRect();
        const lit = [...view.element.querySelectorAll('.lit')];
        const isSeen = lit.some((it) => it.getBoundingClientRect().top >= top && it.getBoundingClientRect().top < bottom);
        if (view === this.text && !isSeen) {
            this.scrolling.toPlace(position);
        } else if (!isSeen) {
            lit[0]?.scrollIntoView({ block: 'center' });
        }
    }

    /** Lights what the placeholder at the cursor became, in whatever is shown. */
    light(): void {
        const position = this.cursor?.uri === this.acts.uri() ? this.cursor?.position : undefined;
        for (const text of this.stage.traced) {
            const runs = position === undefined ? [] : runsAt(text.map, position);
            text.light(new Set(runs.filter((it) => text.map[it]?.kind !== 'literal')));
        }
    }

    /** Shows a place in the editor; without one, says where it is. */
    go(location: Location): void {
        const canReveal = this.acts.canReveal();
        if (canReveal) {
            this.acts.reveal(location);
        } else {
            this.acts.say(placeName(location));
        }
        if (location.uri === this.acts.uri()) {
            // What it became is lit here, too, whoever has an editor.
            this.point(location.uri, location.range.start, !canReveal);
        }
    }

    /** Shows what a placeholder became first, and lights all that it became. */
    goToOutput(path: string): void {
        this.acts.showText();
        const { flow } = this.text;
        const runs = flow.map.flatMap((it, index) => (it.path === path && it.kind !== 'literal' ? [index] : []));
        if (runs[0] !== undefined) {
            this.scrolling.toRun(runs[0]);
            flow.light(new Set(runs));
        }
    }

    goToOffset(offset: number | undefined): void {
        this.acts.showText();
        if (offset !== undefined) {
            this.scrolling.toOffset(offset);
        }
    }
}
