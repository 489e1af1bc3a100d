/** Where the text is: one of its views, or a few words while there is none. */

import { element, setText } from '../widgets/dom';
import type { Flow } from '../text/text-view';
import type { ViewName } from '../page-state';
import type { Traced } from '../text/mapped-view';
import type { Model, View } from './tab';

export class Stage {
    readonly element = element('main.stage');
    private readonly empty = element('p.empty.nothing', { hidden: true, role: 'status' });

    constructor(
        private readonly views: readonly [View, ...View[]],
        private shown: ViewName,
    ) {
        this.element.append(this.empty, ...views.map((it) => it.element));
        const resized = () => this.flows.forEach((it) => it.resized());
        new ResizeObserver(resized).observe(this.element);
        // Once fonts are there, rows are as high as they will be.
        void document.fonts?.ready.then(resized);
        for (const { scroller } of views) {
            scroller.addEventListener('scroll', () => this.flows.forEach((it) => it.fillVisible()), { passive: true });
        }
    }

    /** The view that is shown. */
    get view(): View {
        return this.views.find((it) => it.name === this.shown) ?? this.views[0];
    }

    get flows(): readonly Flow[] {
        return this.view.flows;
    }

    /** What can be pointed at and lit. */
    get traced(): readonly Traced[] {
        return this.view.traced;
    }

    /** Shows a view, which is yet to be drawn. */
    show(name: ViewName): void {
        this.shown = name;
        for (const view of this.views) {
            view.element.hidden = view.name !== name;
        }
    }

    /** Draws the view that is shown, and says how many blocks were drawn anew. */
    draw(model: Model): number {
        this.empty.hidden = true;
        this.element.classList.remove('is-empty');
        return this.view.show(model);
    }

    /** Shows words, and no view. */
    say(message: string): void {
        this.empty.hidden = false;
        setText(this.empty, message);
        this.element.classList.add('is-empty');
    }
}
