/** Keeps what the reader sees where it is, and what is selected, while a text changes. */

import type { Flow } from './text-view';
import { moved } from './offset-map';

/** Changes flows in a scroller by `change`, and puts scroll position, selection and focus back. */
export function keepingPlace(scroller: HTMLElement, flows: readonly Flow[], change: () => void): void {
    const old = flows[0]?.text ?? '';
    const top = scroller.getBoundingClientRect().top;
    const seen = scroller.scrollTop > 0 ? firstSeen(flows, top) : undefined;
    const selected = selection(flows);
    const focused = focusedRun(flows);

    // It would move the text, too, and both together would be too far.
    scroller.style.setProperty('overflow-anchor', 'none');
    change();
    const next = flows[0]?.text ?? '';
    const newOf = moved(old, next);
    if (seen !== undefined) {
        const rect = seen.flow.rectOf(newOf(seen.offset));
        if (rect !== undefined && Math.abs(rect.top - seen.top) > 0.5) {
            scroller.scrollTop += rect.top - seen.top;
        }
    }
    if (selected !== undefined && !selected.isThere()) {
        const [anchor, focus] = [selected.anchor, selected.focus].map(({ flow, offset }) => flow.placeOf(newOf(offset)));
        if (anchor && focus) {
            getSelection()?.setBaseAndExtent(anchor.node, anchor.at, focus.node, focus.at);
        }
    }
    if (focused !== undefined && !focused.span.isConnected) {
        const place = focused.flow.placeOf(newOf(focused.offset));
        const run = place && focused.flow.runOf(place.node);
        const span = run === undefined ? undefined : focused.flow.elementOf(run);
        span?.setAttribute('tabindex', '-1');
        (span ?? scroller).focus({ preventScroll: true });
    }
    requestAnimationFrame(() => scroller.style.removeProperty('overflow-anchor'));
}

function firstSeen(flows: readonly Flow[], top: number): { flow: Flow; offset: number; top: number } | undefined {
    const flow = flows.find((it) => it.element.getBoundingClientRect().bottom > top);
    const offset = flow?.offsetBelow(top);
    const rect = offset === undefined ? undefined : flow?.rectOf(offset);
    return flow && offset !== undefined && rect ? { flow, offset, top: rect.top } : undefined;
}

interface Place {
    flow: Flow;
    offset: number;
}

/** What is selected, if both of its ends are in texts. */
function selection(flows: readonly Flow[]): { anchor: Place; focus: Place; isThere: () => boolean } | undefined {
    const selected = getSelection();
    const { anchorNode, focusNode, anchorOffset, focusOffset, isCollapsed } = selected ?? {};
    if (!anchorNode || !focusNode || isCollapsed) {
        return undefined;
    }
    const anchor = placeIn(flows, anchorNode, anchorOffset ?? 0);
    const focus = placeIn(flows, focusNode, focusOffset ?? 0);
    // Once a node is gone, the browser moves the ends of the selection to what is left.
    const isThere = () => anchorNode.isConnected && focusNode.isConnected;
    return anchor && focus && { anchor, focus, isThere };
}

/** Which place of which text a place between nodes is. */
export function placeIn(flows: readonly Flow[], node: Node, at: number): Place | undefined {
    for (const flow of flows) {
        const offset = flow.offsetOf(node, at);
        if (offset !== undefined) {
            return { flow, offset };
        }
    }
    return undefined;
}

function focusedRun(flows: readonly Flow[]): { flow: Flow; span: HTMLElement; offset: number } | undefined {
    const span = document.activeElement;
    const flow = span instanceof HTMLElement && span.dataset['run'] !== undefined ? flows.find((it) => it.element.contains(span)) : undefined;
    const offset = flow?.offsetOf(span as HTMLElement, 0);
    return flow && offset !== undefined ? { flow, span: span as HTMLElement, offset } : undefined;
}

/** The text that is selected, exactly as it is sent; `undefined` if the selection is elsewhere. */
export function selectedText(flows: readonly Flow[]): string | undefined {
    const selected = getSelection();
    if (!selected || selected.rangeCount === 0 || selected.isCollapsed || flows.length === 0) {
        return undefined;
    }
    const range = selected.getRangeAt(0);
    const touched = flows.filter((it) => range.intersectsNode(it.element));
    const [first, last] = [touched[0], touched.at(-1)];
    if (!first || !last) {
        return undefined;
    }
    // An end outside means all from there.
    const start = first.offsetOf(range.startContainer, range.startOffset) ?? first.range[0];
    const end = last.offsetOf(range.endContainer, range.endOffset) ?? last.range[1];
    return first.text.slice(start, end);
}
