/** What the pointer and the focus are on: said in the tooltip, gone to with a click. */

import type { Flow } from './flow';
import { positionOf, runAtOffset } from './positions';
import type { Location, Position, Run } from './protocol';
import type { Pointed, Tip, Tooltip } from './tooltip';
import { described, placeName } from './words';

export interface PointingActs {
    /** The texts that are shown. */
    flows(): readonly Flow[];
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

    private flowOf(node: Node): Flow | undefined {
        return this.acts.flows().find((it) => it.element.contains(node));
    }

    /** The piece that the pointer was on last, so that moving on it does not start anew. */
    private last: Element | undefined;

    private moved({ clientX, clientY, target, buttons }: PointerEvent): void {
        const on = target as Element;
        if (on.closest('[data-tip]') || this.flowOf(on) === undefined) {
            this.last = undefined;
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
        const flow = this.flowOf(piece);
        const run = flow?.runOf(piece);
        const tip = run === undefined ? undefined : this.tipOf(flow?.map[run]);
        const near = rectAt(piece, y);
        return tip && near && { target: piece, near, tip };
    }

    private literalUnder(x: number, y: number): Pointed | undefined {
        const target = document.elementFromPoint(x, y);
        const flow = target ? this.flowOf(target) : undefined;
        const place = flow && literalAt(flow, x, y);
        const tip = place && this.literalTip(flow, place.offset);
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

    private literalTip(flow: Flow, offset: number): Tip | undefined {
        const uri = this.acts.uri();
        const place = this.literalPlace(flow, offset);
        if (uri === undefined || place === undefined) {
            return undefined;
        }
        const at = placeName({ uri, range: { start: place.position, end: place.position } });
        return { lines: [at, ...described(place.run)] };
    }

    private literalPlace(flow: Flow, offset: number): { run: Run; position: Position } | undefined {
        const index = runAtOffset(flow.map, offset);
        const run = index === undefined ? undefined : flow.map[index];
        return run?.kind === 'literal' ? { run, position: positionOf(flow.text, run, offset) } : undefined;
    }

    private clicked(event: MouseEvent): void {
        // Somebody who selects text to copy it does not want to be taken elsewhere.
        if (getSelection()?.isCollapsed !== false) {
            this.followFrom(event.target as Element, event.altKey || event.ctrlKey || event.metaKey);
        }
    }

    /** To where a piece comes from: its placeholder, or its value. */
    followFrom(piece: Element, toValue: boolean): void {
        const flow = this.flowOf(piece);
        const run = flow?.runOf(piece);
        this.follow(run === undefined ? undefined : flow?.map[run], toValue);
    }

    private follow(run: Run | undefined, toValue: boolean): void {
        const uri = this.acts.uri();
        if (run !== undefined && uri !== undefined) {
            this.acts.go(toValue && run.value ? run.value : { uri, range: run.source });
        }
    }

    private doubleClicked({ clientX, clientY, target }: MouseEvent): void {
        const on = target as Element;
        const flow = this.flowOf(on);
        const uri = this.acts.uri();
        const at = flow && flow.runOf(on) === undefined ? literalAt(flow, clientX, clientY) : undefined;
        const place = flow && at && this.literalPlace(flow, at.offset);
        if (place && uri !== undefined) {
            this.acts.go({ uri, range: { start: place.position, end: place.position } });
        }
    }

    /** Things with words of their own, anywhere on the page. */
    private over(target: Element): void {
        const on = target.closest?.<HTMLElement>('[data-tip]');
        if (on) {
            this.tooltip.point(() => {
                const tip = this.ownTip(on);
                return tip && { target: on, near: on.getBoundingClientRect(), tip };
            });
        } else if (!this.stage.contains(target) && !target.closest?.('.tooltip')) {
            this.tooltip.leave();
        }
    }

    private ownTip(on: HTMLElement): Tip | undefined {
        const words = on.dataset['tip'];
        if (!words || !on.isConnected) {
            return undefined;
        }
        const flow = this.flowOf(on);
        const run = flow?.runOf(on);
        const more = run === undefined ? [] : (this.tipOf(flow?.map[run])?.lines ?? []);
        return { lines: [words, ...more] };
    }

    private focused(on: Element): void {
        if (!(on instanceof HTMLElement) || !on.matches(':focus-visible')) {
            return;
        }
        const flow = this.flowOf(on);
        const run = on.dataset['run'] === undefined ? undefined : flow?.runOf(on);
        const tip = run === undefined ? this.ownTip(on) : this.tipOf(flow?.map[run]);
        if (tip !== undefined) {
            this.tooltip.show(on, on.getBoundingClientRect(), tip);
        }
    }

    /** Moves the focus to the next value, or with -1 to the one before. */
    go(step: 1 | -1): void {
        const flows = this.acts.flows();
        const active = document.activeElement;
        const current = active instanceof HTMLElement && active.dataset['run'] !== undefined ? active : undefined;
        const at = current ? flows.findIndex((it) => it.element.contains(current)) : -1;
        let index = at === -1 ? (step === 1 ? 0 : flows.length - 1) : at;
        let run = current && at !== -1 ? flows[at]?.runOf(current) : undefined;
        for (let tries = 0; tries <= flows.length; tries++) {
            const flow = flows[index];
            if (flow === undefined) {
                return;
            }
            const next = nextRun(flow, run, step);
            const span = next === undefined ? undefined : flow.elementOf(next);
            if (span !== undefined) {
                focusRun(span);
                return;
            }
            index = (index + step + flows.length) % flows.length;
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

function nextRun(flow: Flow, from: number | undefined, step: 1 | -1): number | undefined {
    const [start, end] = flow.range;
    const { map } = flow;
    for (let index = from === undefined ? (step === 1 ? 0 : map.length - 1) : from + step; map[index]; index += step) {
        const { kind, output } = map[index] as Run;
        const isHere = output[0] >= start && output[1] <= end;
        if (kind !== 'literal' && isHere) {
            return index;
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
function literalAt(flow: Flow, x: number, y: number): { offset: number; rect: DOMRect } | undefined {
    // The older name is the one that all versions know.
    const caret = document.caretRangeFromPoint(x, y);
    const offset = caret ? flow.offsetOf(caret.startContainer, caret.startOffset) : undefined;
    if (offset === undefined) {
        return undefined;
    }
    for (const at of [offset, offset - 1]) {
        const rect = at >= flow.range[0] ? flow.rectOf(at) : undefined;
        if (rect && x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top && y <= rect.bottom) {
            return { offset: at, rect };
        }
    }
    return undefined;
}
