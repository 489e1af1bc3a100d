/** The tooltip and the click target of the element under the pointer or with the focus. */

import type { Pointed, Tip, Tooltip } from '../frame/tooltip';
import type { Location, Position, Run } from '../host/protocol';
import { describeRun } from '../text/describe-run';
import type { MappedView } from '../text/mapped-view';
import { positionOf, runAtOffset } from '../text/source-map';
import { locationName } from '../widgets/words';

export interface PointingActs {
    /** The visible views. */
    views(): readonly MappedView[];
    /** The prompt of the views. */
    uri(): string | undefined;
    /** Whether an editor can show places. */
    canReveal(): boolean;
    go(location: Location): void;
}

export class Pointing {
    constructor(
        private readonly panels: HTMLElement,
        private readonly tooltip: Tooltip,
        private readonly acts: PointingActs,
    ) {
        panels.addEventListener('pointermove', (event) => this.moved(event));
        panels.addEventListener('pointerleave', () => tooltip.leave());
        panels.addEventListener('click', (event) => this.clicked(event));
        panels.addEventListener('dblclick', (event) => this.doubleClicked(event));
        document.addEventListener('pointerover', ({ target }) => this.over(target as Element));
        document.addEventListener('focusin', ({ target }) => this.focused(target as Element));
        document.addEventListener('focusout', () => tooltip.hide());
        panels.addEventListener('focusout', ({ target }) => (target as Element).removeAttribute('role'));
    }

    private viewOf(node: Node): MappedView | undefined {
        return this.acts.views().find((it) => it.element.contains(node));
    }

    /** The previous piece under the pointer; moving within it does not restart the tooltip. */
    private last: Element | undefined;

    private moved({ clientX, clientY, target, buttons }: PointerEvent): void {
        const on = target as Element;
        if (on.closest('[data-tip]')) {
            this.last = undefined;
            return;
        }
        if (this.viewOf(on) === undefined) {
            this.last = undefined;
            this.tooltip.leave();
            return;
        }
        if (buttons !== 0) {
            this.tooltip.hide();
            return;
        }
        const piece = on.closest('[data-run]') ?? undefined;
        if (piece !== undefined && piece === this.last) {
            return;
        }
        this.last = piece;
        if (piece === undefined && this.literalUnder(clientX, clientY) === undefined) {
            this.tooltip.leave();
            return;
        }
        this.tooltip.point(() => this.under(clientX, clientY));
    }

    /** The tooltip for a position in the window. */
    private under(x: number, y: number): Pointed | undefined {
        const on = document.elementFromPoint(x, y);
        const piece = on?.closest<HTMLElement>('[data-run]');
        if (!piece) {
            return this.literalUnder(x, y);
        }
        const view = this.viewOf(piece);
        const run = view?.runOf(piece);
        const tip = run === undefined ? undefined : this.tipOf(view?.map[run]);
        const near = rectAt(piece, y);
        return tip && near && { target: piece, near, tip };
    }

    private literalUnder(x: number, y: number): Pointed | undefined {
        const target = document.elementFromPoint(x, y);
        const view = target ? this.viewOf(target) : undefined;
        const place = view && literalAt(view, x, y);
        const tip = place && this.literalTip(view, place.offset);
        return target && place && tip ? { target, near: place.rect, tip } : undefined;
    }

    /** The tooltip of a piece, unless it is literal text. */
    tipOf(run: Run | undefined): Tip | undefined {
        const uri = this.acts.uri();
        if (run === undefined || uri === undefined) {
            return undefined;
        }
        const lines = describeRun(run);
        const [title, ...more] = lines;
        const source = locationName({ uri, range: run.source });
        const hints = this.acts.canReveal() ? ['Click: placeholder', ...(run.value ? ['Alt+Click: value'] : [])] : [];
        return { lines: [title ?? '', ...more, run.kind === 'escape' ? `at ${source}` : `placeholder at ${source}`], hint: hints.join(' · ') || undefined };
    }

    private literalTip(view: MappedView, offset: number): Tip | undefined {
        const uri = this.acts.uri();
        const place = this.literalPlace(view, offset);
        if (uri === undefined || place === undefined) {
            return undefined;
        }
        const at = locationName({ uri, range: { start: place.position, end: place.position } });
        return { lines: [at, ...describeRun(place.run)] };
    }

    private literalPlace(view: MappedView, offset: number): { run: Run; position: Position } | undefined {
        const index = runAtOffset(view.map, offset);
        const run = index === undefined ? undefined : view.map[index];
        return run?.kind === 'literal' ? { run, position: positionOf(view.text, run, offset) } : undefined;
    }

    private clicked(event: MouseEvent): void {
        // Selecting text to copy it must not navigate.
        if (getSelection()?.isCollapsed !== false) {
            this.followFrom(event.target as Element, event.altKey || event.ctrlKey || event.metaKey);
        }
    }

    /** Goes to the source of a piece: its placeholder, or its value. */
    followFrom(piece: Element, toValue: boolean): void {
        const view = this.viewOf(piece);
        const run = view?.runOf(piece);
        this.follow(run === undefined ? undefined : view?.map[run], toValue);
    }

    private follow(run: Run | undefined, toValue: boolean): void {
        const uri = this.acts.uri();
        if (run !== undefined && uri !== undefined) {
            this.acts.go(toValue && run.value ? run.value : { uri, range: run.source });
        }
    }

    private doubleClicked({ clientX, clientY, target }: MouseEvent): void {
        const on = target as Element;
        const view = this.viewOf(on);
        const uri = this.acts.uri();
        const at = view && view.runOf(on) === undefined ? literalAt(view, clientX, clientY) : undefined;
        const place = view && at && this.literalPlace(view, at.offset);
        if (place && uri !== undefined) {
            this.acts.go({ uri, range: { start: place.position, end: place.position } });
        }
    }

    /** Handles elements with their own tooltip, anywhere on the page. */
    private over(target: Element): void {
        const on = target.closest?.<HTMLElement>('[data-tip]');
        if (on) {
            this.tooltip.point(() => {
                const tip = this.ownTip(on, target);
                return tip && { target: on, near: on.getBoundingClientRect(), tip };
            });
        } else if (!this.panels.contains(target) && !target.closest?.('.tooltip')) {
            this.tooltip.leave();
        }
    }

    /** The tooltip of an element, with that of the piece of text in it or around it. */
    private ownTip(on: HTMLElement, target: Element = on): Tip | undefined {
        const words = on.dataset['tip'];
        if (!words || !on.isConnected) {
            return undefined;
        }
        const view = this.viewOf(on);
        const run = view?.runOf(target);
        const more = run === undefined ? [] : (this.tipOf(view?.map[run])?.lines ?? []);
        return { lines: [words, ...more] };
    }

    private focused(on: Element): void {
        if (!(on instanceof HTMLElement) || !on.matches(':focus-visible')) {
            return;
        }
        const view = this.viewOf(on);
        const run = on.dataset['run'] === undefined ? undefined : view?.runOf(on);
        const tip = run === undefined ? this.ownTip(on) : this.tipOf(view?.map[run]);
        if (tip !== undefined) {
            this.tooltip.show(on, on.getBoundingClientRect(), tip);
        }
    }
}

/** The line of a piece at a position in the window. */
function rectAt(on: Element, y: number): DOMRect | undefined {
    const rects = [...on.getClientRects()];
    return rects.find((it) => it.top <= y && y <= it.bottom) ?? rects[0];
}

/** The offset in literal text at a position in the window. */
function literalAt(view: MappedView, x: number, y: number): { offset: number; rect: DOMRect } | undefined {
    // All browser versions support this older function.
    const caret = document.caretRangeFromPoint(x, y);
    const { startContainer: node, startOffset } = caret ?? {};
    if (!(node instanceof Text) || startOffset === undefined) {
        return undefined;
    }
    for (const at of [startOffset, startOffset - 1]) {
        const rect = rectOfCharacter(node, at);
        const offset = rect && x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top && y <= rect.bottom ? view.offsetOf(node, at) : undefined;
        if (rect && offset !== undefined) {
            return { offset, rect };
        }
    }
    return undefined;
}

function rectOfCharacter(node: Text, at: number): DOMRect | undefined {
    if (at < 0 || at >= node.length) {
        return undefined;
    }
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getClientRects()[0];
}
