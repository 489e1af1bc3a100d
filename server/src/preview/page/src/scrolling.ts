/** Scrolling the text, with the editor and to places. */

import { lineOfOffset, offsetIn, offsetOfLine, runsAt } from './positions';
import type { Position } from './protocol';
import type { TextView } from './views/text';

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
    private frame: number | undefined;
    private timer = 0;

    constructor(
        private readonly view: TextView,
        private readonly acts: ScrollingActs,
    ) {
        view.scroller.addEventListener('scroll', () => this.moved(), { passive: true });
    }

    private moved(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.acts.settled(this.view.scroller.scrollTop), 300);
        if (performance.now() < this.ownUntil || !this.acts.isTogether()) {
            return;
        }
        this.frame ??= requestAnimationFrame(() => {
            this.frame = undefined;
            const { flow, scroller } = this.view;
            const offset = scroller.scrollTop === 0 ? 0 : flow.offsetBelow(scroller.getBoundingClientRect().top);
            this.acts.scrolled(lineOfOffset(flow.text, flow.map, offset));
        });
    }

    /** Scrolls without telling the editor, which scrolled first. */
    private to(top: number): void {
        this.ownUntil = performance.now() + own;
        this.view.scroller.scrollTop = top;
    }

    /** Puts a line of the prompt at the top. */
    toLine(line: number): void {
        const { flow, scroller } = this.view;
        if (line <= 0) {
            this.to(0);
            return;
        }
        const rect = flow.rectOf(offsetOfLine(flow.text, flow.map, line));
        if (rect !== undefined) {
            this.to(scroller.scrollTop + rect.top - scroller.getBoundingClientRect().top);
        }
    }

    /** Brings what a place in the prompt became into view, if it is not. */
    toPlace(position: Position): void {
        const { map, text } = this.view.flow;
        const [first] = runsAt(map, position);
        const run = first === undefined ? undefined : map[first];
        if (run !== undefined) {
            this.toOffset(offsetIn(text, run, position));
        }
    }

    toRun(run: number): void {
        this.toOffset(this.view.flow.map[run]?.output[0] ?? 0);
    }

    /** Brings an offset into view: a third down, if it was out of sight. */
    toOffset(offset: number): void {
        const { flow, scroller } = this.view;
        // Twice, because what lies between may be less high than was thought.
        for (let round = 0; round < 2; round++) {
            const rect = flow.rectOf(offset);
            const { top, bottom, height } = scroller.getBoundingClientRect();
            if (rect === undefined || (rect.top >= top && rect.bottom <= bottom)) {
                return;
            }
            this.to(scroller.scrollTop + rect.top - top - height / 3);
        }
    }

    /** Goes where the reader was. */
    restore(top: number): void {
        this.to(top);
    }
}
