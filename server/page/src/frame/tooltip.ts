/**
 * The tooltip for the element under the pointer or with the focus.
 *
 * The pointer can enter it; it stays until the pointer leaves, and closes with Escape.
 */

import { shortText } from '../text/draw-text';
import { element } from '../widgets/dom';

/** The delay before the tooltip appears, and before it closes after the pointer has left, in milliseconds. */
const rest = 350;
const grace = 120;

/** The contents: a title, more lines, and a hint about actions. */
export interface Tip {
    lines: string[];
    hint?: string | undefined;
}

/** The element under the pointer, its position, and the tooltip for it. */
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
        // Hiding it also causes a `pointerleave`, which gives no information about the pointer.
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

    /** Shows a tooltip after the delay. `find` is called only then, because texts may move meanwhile. */
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

    /** Called when the pointer has left. */
    leave(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.hide(), grace);
    }

    /** Shows a tooltip immediately. */
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

    /**
     * Follows the focused element; a tooltip for the pointer closes, because the content under it
     * has moved.
     */
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
