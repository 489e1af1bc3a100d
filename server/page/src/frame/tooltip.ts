/**
 * What is said about the thing under the pointer, or about what has the focus.
 *
 * It can be pointed at itself, stays until the pointer leaves, and goes with Escape.
 */

import { shortText } from '../text/draw-text';
import { element } from '../widgets/dom';

/** How long the pointer rests before something is said, and how long it may be elsewhere, in milliseconds. */
const rest = 350;
const grace = 120;

/** What to say: a title, more lines, and what can be done. */
export interface Tip {
    lines: string[];
    hint?: string | undefined;
}

/** What the pointer is on, where that is, and what is to be said of it. */
export interface Pointed {
    target: Element;
    near: DOMRect;
    tip: Tip;
}

export class Tooltip {
    readonly element = element('div.tooltip', { role: 'tooltip', id: 'tooltip', hidden: true });
    private timer = 0;
    private target: Element | undefined;

    constructor() {
        this.element.addEventListener('pointerenter', () => clearTimeout(this.timer));
        // Once it is hidden, the pointer leaves it, too; that says nothing of where it went.
        this.element.addEventListener('pointerleave', () => this.isShown && this.leave());
        document.addEventListener('keydown', (event) => {
            if (event.key === 'Escape' && !this.element.hidden) {
                this.hide();
                event.stopPropagation();
            }
        }, { capture: true });
        addEventListener('scroll', () => this.scrolled(), { capture: true, passive: true });
        addEventListener('blur', () => this.hide());
    }

    get isShown(): boolean {
        return !this.element.hidden;
    }

    /** Says something when the pointer has rested. What is asked only then: texts move meanwhile. */
    point(find: () => Pointed | undefined): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => {
            const found = find();
            if (found === undefined) {
                this.hide();
            } else {
                this.show(found.target, found.near, found.tip);
            }
        }, rest);
    }

    /** The pointer is elsewhere. */
    leave(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.hide(), grace);
    }

    /** Says something now. */
    show(target: Element, near: DOMRect, { lines, hint }: Tip): void {
        clearTimeout(this.timer);
        this.hide();
        const [title = '', ...more] = lines;
        const made = [element('div.tip-title', {}, shortText(title)), ...more.map((it) => element('div', {}, shortText(it)))];
        this.element.replaceChildren(...made, ...(hint ? [element('div.tip-hint', {}, hint)] : []));
        this.element.hidden = false;
        this.target = target;
        target.setAttribute('aria-describedby', this.element.id);
        this.moveTo(near);
    }

    /** What has the focus is followed; what the pointer was over is no longer under it. */
    private scrolled(): void {
        if (this.isShown && this.target !== undefined && this.target === document.activeElement) {
            this.moveTo(this.target.getBoundingClientRect());
        } else {
            this.hide();
        }
    }

    hide(): void {
        clearTimeout(this.timer);
        this.element.hidden = true;
        this.target?.removeAttribute('aria-describedby');
        this.target = undefined;
    }

    private moveTo(near: DOMRect): void {
        const { width, height } = this.element.getBoundingClientRect();
        const [gap, edge] = [4, 6];
        const below = near.bottom + gap;
        const fits = below + height <= innerHeight - edge;
        const top = fits ? below : Math.max(edge, near.top - gap - height);
        const left = Math.max(edge, Math.min(near.left, innerWidth - width - edge));
        this.element.style.setProperty('top', `${top}px`);
        this.element.style.setProperty('left', `${left}px`);
    }
}
