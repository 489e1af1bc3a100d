/**
 * What is said about the thing under the pointer, or about what has the focus.
 *
 * It can be pointed at itself, stays until the pointer leaves, and goes with Escape.
 */

import { element } from './dom';
import { shortText } from './drawing';

/** How long the pointer rests before something is said, and how long it may be elsewhere, in milliseconds. */
const rest = 350;
const grace = 120;

/** What to say: a title, more lines, and what can be done. */
export interface Tip {
    lines: string[];
    hint?: string | undefined;
}

export class Tooltip {
    readonly element = element('div.tooltip', { role: 'tooltip', id: 'tooltip', hidden: true });
    private timer = 0;
    private target: Element | undefined;

    constructor() {
        this.element.addEventListener('pointerenter', () => clearTimeout(this.timer));
        this.element.addEventListener('pointerleave', () => this.leave());
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

    /** Says something when the pointer has rested. `tip` is asked then. */
    point(target: Element, near: () => DOMRect | undefined, tip: () => Tip | undefined): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => {
            const said = tip();
            const rect = near();
            if (said && rect) {
                this.show(target, rect, said);
            } else {
                this.hide();
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
        this.place(near);
    }

    /** What has the focus is followed; what the pointer was over is no longer under it. */
    private scrolled(): void {
        if (this.isShown && this.target !== undefined && this.target === document.activeElement) {
            this.place(this.target.getBoundingClientRect());
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

    private place(near: DOMRect): void {
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
