/** What the pointer and the focus are on: said in the tooltip, gone to with a click. */

import { positionOf, runAtOffset } from '../text/source-map';
import type { Location, Position, Run } from '../host/protocol';
import type { Pointed, Tip, Tooltip } from '../widgets/tooltip';
import type { Traced } from '../text/mapped-view';
import { described, placeName } from '../widgets/words';

export interface PointingActs {
    /** The texts that are shown. */
    texts(): readonly Traced[];
    /** The prompt that they come from. */
    uri(): string | undefined;
    /** Whether an editor is there to go to. */
    canReveal(): boolean;
    go(location: Location): void;
}

export class Pointing {
    constructor(
        private readonly stage: HTMLElement,
        private readonly tooltip: Tooltip,
        private readonly acts: PointingActs,
    ) {
        stage.addEventListener('pointermove', (event) => this.moved(event));
        stage.addEventListener('pointerleave', () => tooltip.leave());
        stage.addEventListener('click', (event) => this.clicked(event));
        stage.addEventListener('dblclick', (event) => this.doubleClicked(event));
        document.addEventListener('pointerover', ({ target }) => this.over(target as Element));
        document.addEventListener('focusin', ({ target }) => this.focused(target as Element));
        document.addEventListener('focusout', () => tooltip.hide());
        stage.addEventListener('focusout', ({ target }) => (target as Element).removeAttribute('role'));
    }

    private textOf(node: Node): Traced | undefined {
        return this.acts.texts().find((it) => it.element.contains(node));
    }

    /** The piece that the pointer was on last, so that moving on it does not start anew. */
    private last: Element | undefined;

    private moved({ clientX, clientY, target, buttons }: PointerEvent): void {
        const on = target as Element;
        if (on.closest('[data-tip]')) {
            this.last = undefined;
            return;
        }
        if (this.textOf(on) === undefined) {
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

    /** What is under a place of the window now. */
    private under(x: number, y: number): Pointed | undefined {
        const on = document.elementFromPoint(x, y);
        const piece = on?.closest<HTMLElement>('[data-run]');
        if (!piece) {
            return this.literalUnder(x, y);
        }
        const text = this.textOf(piece);
        const run = text?.runOf(piece);
        const tip = run === undefined ? undefined : this.tipOf(text?.map[run]);
        const near = rectAt(piece, y);
        return tip && near && { target: piece, near, tip };
    }

    private literalUnder(x: number, y: number): Pointed | undefined {
        const target = document.elementFromPoint(x, y);
        const text = target ? this.textOf(target) : undefined;
        const place = text && literalAt(text, x, y);
        const tip = place && this.literalTip(text, place.offset);
        return target && place && tip ? { target, near: place.rect, tip } : undefined;
    }

    /** What is said of a piece that is no literal text. */
    tipOf(run: Run | undefined): Tip | undefined {
        const uri = this.acts.uri();
        if (run === undefined || uri === undefined) {
            return undefined;
        }
        const lines = described(run);
        const [title, ...more] = lines;
        const source = placeName({ uri, range: run.source });
        const hints = this.acts.canReveal() ? ['Click: placeholder', ...(run.value ? ['Alt+Click: value'] : [])] : [];
        return { lines: [title ?? '', ...more, run.kind === 'escape' ? `at ${source}` : `placeholder at ${source}`], hint: hints.join(' · ') || undefined };
    }

    private literalTip(text: Traced, offset: number): Tip | undefined {
        const uri = this.acts.uri();
        const place = this.literalPlace(text, offset);
        if (uri === undefined || place === undefined) {
            return undefined;
        }
        const at = placeName({ uri, range: { start: place.position, end: place.position } });
        return { lines: [at, ...described(place.run)] };
    }

    private literalPlace(text: Traced, offset: number): { run: Run; position: Position } | undefined {
        const index = runAtOffset(text.map, offset);
        const run = index === undefined ? undefined : text.map[index];
        return run?.kind === 'literal' ? { run, position: positionOf(text.text, run, offset) } : undefined;
    }

    private clicked(event: MouseEvent): void {
        // Somebody who selects text to copy it does not want to be taken elsewhere.
        if (getSelection()?.isCollapsed !== false) {
            this.followFrom(event.target as Element, event.altKey || event.ctrlKey || event.metaKey);
        }
    }

    /** To where a piece comes from: its placeholder, or its value. */
    followFrom(piece: Element, toValue: boolean): void {
        const text = this.textOf(piece);
        const run = text?.runOf(piece);
        this.follow(run === undefined ? undefined : text?.map[run], toValue);
    }

    private follow(run: Run | undefined, toValue: boolean): void {
        const uri = this.acts.uri();
        if (run !== undefined && uri !== undefined) {
            this.acts.go(toValue && run.value ? run.value : { uri, range: run.source });
        }
    }

    private doubleClicked({ clientX, clientY, target }: MouseEvent): void {
        const on = target as Element;
        const text = this.textOf(on);
        const uri = this.acts.uri();
        const at = text && text.runOf(on) === undefined ? literalAt(text, clientX, clientY) : undefined;
        const place = text && at && this.literalPlace(text, at.offset);
        if (place && uri !== undefined) {
            this.acts.go({ uri, range: { start: place.position, end: place.position } });
        }
    }

    /** Things with words of their own, anywhere on the page. */
    private over(target: Element): void {
        const on = target.closest?.<HTMLElement>('[data-tip]');
        if (on) {
            this.tooltip.point(() => {
                const tip = this.ownTip(on, target);
                return tip && { target: on, near: on.getBoundingClientRect(), tip };
            });
        } else if (!this.stage.contains(target) && !target.closest?.('.tooltip')) {
            this.tooltip.leave();
        }
    }

    /** The words of a thing, and of the piece of text that the pointer is on: in it, or around it. */
    private ownTip(on: HTMLElement, target: Element = on): Tip | undefined {
        const words = on.dataset['tip'];
        if (!words || !on.isConnected) {
            return undefined;
        }
        const text = this.textOf(on);
        const run = text?.runOf(target);
        const more = run === undefined ? [] : (this.tipOf(text?.map[run])?.lines ?? []);
        return { lines: [words, ...more] };
    }

    private focused(on: Element): void {
        if (!(on instanceof HTMLElement) || !on.matches(':focus-visible')) {
            return;
        }
        const text = this.textOf(on);
        const run = on.dataset['run'] === undefined ? undefined : text?.runOf(on);
        const tip = run === undefined ? this.ownTip(on) : this.tipOf(text?.map[run]);
        if (tip !== undefined) {
            this.tooltip.show(on, on.getBoundingClientRect(), tip);
        }
    }

    /** Moves the focus to the next value, or with -1 to the one before. */
    go(step: 1 | -1): void {
        const texts = this.acts.texts();
        const active = document.activeElement;
        const current = active instanceof HTMLElement && active.dataset['run'] !== undefined ? active : undefined;
        const at = current ? texts.findIndex((it) => it.element.contains(current)) : -1;
        let index = at === -1 ? (step === 1 ? 0 : texts.length - 1) : at;
        let run = current && at !== -1 ? texts[at]?.runOf(current) : undefined;
        for (let tries = 0; tries <= texts.length; tries++) {
            const text = texts[index];
            if (text === undefined) {
                return;
            }
            const span = nextElement(text, run, step);
            if (span !== undefined) {
                focusRun(span);
                return;
            }
            index = (index + step + texts.length) % texts.length;
            run = undefined;
        }
    }
}

/** Gives the focus to a piece of the text. */
function focusRun(span: HTMLElement): void {
    span.setAttribute('tabindex', '-1');
    // It leads somewhere, and is called so while somebody is on it.
    span.setAttribute('role', 'link');
    span.scrollIntoView({ block: 'nearest' });
    span.focus({ preventScroll: true });
}

/** The next run that can be seen, or the one before. */
function nextElement(text: Traced, from: number | undefined, step: 1 | -1): HTMLElement | undefined {
    const [start, end] = text.range;
    const { map } = text;
    for (let index = from === undefined ? (step === 1 ? 0 : map.length - 1) : from + step; map[index]; index += step) {
        const { kind, output } = map[index] as Run;
        const isHere = output[0] >= start && output[1] <= end;
        const found = kind !== 'literal' && isHere ? text.elementOf(index) : undefined;
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/** The line of a piece that a place of the window is in. */
function rectAt(on: Element, y: number): DOMRect | undefined {
    const rects = [...on.getClientRects()];
    return rects.find((it) => it.top <= y && y <= it.bottom) ?? rects[0];
}

/** Which character of literal text is at a place of the window. */
function literalAt(text: Traced, x: number, y: number): { offset: number; rect: DOMRect } | undefined {
    // The older name is the one that all versions know.
    const caret = document.caretRangeFromPoint(x, y);
    const { startContainer: node, startOffset } = caret ?? {};
    if (!(node instanceof Text) || startOffset === undefined) {
        return undefined;
    }
    for (const at of [startOffset, startOffset - 1]) {
        const rect = rectOfCharacter(node, at);
        const offset = rect && x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top && y <= rect.bottom ? text.offsetOf(node, at) : undefined;
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
