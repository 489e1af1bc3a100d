/** Scrolling the text, with the editor and to places. */

import type { Position } from '../host/protocol';
import type { TextTab } from '../tabs/text-tab';
import { lineOfOffset, offsetIn, offsetOfLine, runsAt } from '../text/source-map';

export interface ScrollingActs {
    /** Whether the editor is to scroll along. */
    isTogether(): boolean;
    /** A line of the prompt is at the top now. */
    scrolled(line: number): void;
    /** The reader has come to rest. */
    settled(scroll: number): void;
}

/** So long after the page scrolled by itself, scrolling is not the reader's, in milliseconds. */
const own = 150;

export class Scrolling {
    private ownUntil = 0;
    /** Counts the places to scroll to; the last one counts. */
    private goal = 0;
    private frame: number | undefined;
    private timer = 0;

    constructor(
        private readonly tab: TextTab,
        private readonly acts: ScrollingActs,
    ) {
        tab.scroller.addEventListener('scroll', () => this.moved(), { passive: true });
        // Whoever scrolls wants to be elsewhere.
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

    /** Scrolls without telling the editor, which scrolled first. */
    private to(top: number): void {
        this.ownUntil = performance.now() + own;
        this.tab.scroller.scrollTop = top;
    }

    /** Puts a line of the prompt at the top. */
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
     * Puts an offset so far below the top. Blocks that come into sight may be higher or less high
     * than was thought, so the next frames look again.
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

    /** Brings what a place in the prompt became into view, if it is not. */
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

    /** Brings an offset into view: a third down, if it was out of sight. */
    toOffset(offset: number): void {
        const { view, scroller } = this.tab;
        const rect = view.rectOf(offset);
        const { top, bottom } = scroller.getBoundingClientRect();
        if (rect !== undefined && (rect.top < top || rect.bottom > bottom)) {
            this.hold(offset, (height) => height / 3);
        }
    }

    /** Goes where the reader was. */
    restore(top: number): void {
        this.goal++;
        this.to(top);
    }
}
