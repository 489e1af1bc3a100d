/** Scrolls the text, together with the editor and to positions. */

import type { Position } from '../host/protocol';
import type { TextTab } from '../tabs/text-tab';
import { lineOfOffset, offsetIn, offsetOfLine, runsAt } from '../text/source-map';

export interface ScrollingActs {
    /** Whether the editor scrolls along. */
    isTogether(): boolean;
    /** Called when a line of the prompt reaches the top. */
    scrolled(line: number): void;
    /** Called when the user stops scrolling. */
    settled(scroll: number): void;
}

/** The time after scrolling by the page during which scroll events are not the user's, in milliseconds. */
const own = 150;

export class Scrolling {
    private ownUntil = 0;
    /** A counter of scroll targets; only the newest one is active. */
    private goal = 0;
    private frame: number | undefined;
    private timer = 0;

    constructor(
        private readonly tab: TextTab,
        private readonly acts: ScrollingActs,
    ) {
        tab.scroller.addEventListener('scroll', () => this.moved(), { passive: true });
        // Scrolling by the user cancels the current target.
        for (const event of ['wheel', 'pointerdown', 'keydown', 'touchstart']) {
            tab.scroller.addEventListener(event, () => this.goal++, { passive: true });
        }
    }

    private moved(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.acts.settled(this.tab.scroller.scrollTop), 300);
        if (performance.now() < this.ownUntil || !this.acts.isTogether()) {
            return;
        }
        this.frame ??= requestAnimationFrame(() => {
            this.frame = undefined;
            const { view, scroller } = this.tab;
            const offset = scroller.scrollTop === 0 ? 0 : view.offsetBelow(scroller.getBoundingClientRect().top);
            this.acts.scrolled(lineOfOffset(view.text, view.map, offset));
        });
    }

    /** Scrolls without notifying the editor, which scrolled first. */
    private to(top: number): void {
        this.ownUntil = performance.now() + own;
        this.tab.scroller.scrollTop = top;
    }

    /** Scrolls a line of the prompt to the top. */
    toLine(line: number): void {
        const { view } = this.tab;
        if (line <= 0) {
            this.goal++;
            this.to(0);
        } else {
            this.hold(offsetOfLine(view.text, view.map, line), () => 0);
        }
    }

    /**
     * Scrolls an offset to a distance below the top. Blocks that become visible may differ from
     * their estimated height, so the next frames correct it.
     */
    private hold(offset: number, below: (height: number) => number): void {
        const { view, scroller } = this.tab;
        const goal = ++this.goal;
        const place = (rounds: number) => {
            const rect = goal === this.goal ? view.rectOf(offset) : undefined;
            if (rect === undefined) {
                return;
            }
            const { top, height } = scroller.getBoundingClientRect();
            const distance = rect.top - top - below(height);
            if (Math.abs(distance) >= 1) {
                this.to(scroller.scrollTop + distance);
            }
            if (rounds > 0) {
                requestAnimationFrame(() => place(rounds - 1));
            }
        };
        place(3);
    }

    /** Scrolls the output of a position in the prompt into view, if it is not visible. */
    toPosition(position: Position): void {
        const { map, text } = this.tab.view;
        const [first] = runsAt(map, position);
        const run = first === undefined ? undefined : map[first];
        if (run !== undefined) {
            this.toOffset(offsetIn(text, run, position));
        }
    }

    toRun(run: number): void {
        this.toOffset(this.tab.view.map[run]?.output[0] ?? 0);
    }

    /** Scrolls an offset into view: to a third of the height, if it was not visible. */
    toOffset(offset: number): void {
        const { view, scroller } = this.tab;
        const rect = view.rectOf(offset);
        const { top, bottom } = scroller.getBoundingClientRect();
        if (rect !== undefined && (rect.top < top || rect.bottom > bottom)) {
            this.hold(offset, (height) => height / 3);
        }
    }

    /** Restores a scroll position. */
    restore(top: number): void {
        this.goal++;
        this.to(top);
    }
}
