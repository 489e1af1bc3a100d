/** Keeps the user's scroll position, selection and focus while a text changes. */

import { offsetMap } from './offset-map';
import type { TextView } from './text-view';

/** Changes views in a scroller with `change`, and restores the scroll position, selection and focus. */
export function keepScroll(scroller: HTMLElement, views: readonly TextView[], change: () => void): void {
    const old = views[0]?.text ?? '';
    const top = scroller.getBoundingClientRect().top;
    const seen = scroller.scrollTop > 0 ? firstSeen(views, top) : undefined;
    const selected = selection(views);
    const focused = focusedRun(views);

    // The browser's scroll anchoring would move the text as well, and both together would move it
    // too far.
    scroller.style.setProperty('overflow-anchor', 'none');
    change();
    const next = views[0]?.text ?? '';
    const newOffset = offsetMap(old, next);
    if (seen !== undefined) {
        const rect = seen.view.rectOf(newOffset(seen.offset));
        if (rect !== undefined && Math.abs(rect.top - seen.top) > 0.5) {
            scroller.scrollTop += rect.top - seen.top;
        }
    }
    if (selected !== undefined && !selected.isThere()) {
        const [anchor, focus] = [selected.anchor, selected.focus].map(({ view, offset }) => view.domPositionOf(newOffset(offset)));
        if (anchor && focus) {
            getSelection()?.setBaseAndExtent(anchor.node, anchor.at, focus.node, focus.at);
        }
    }
    if (focused !== undefined && !focused.span.isConnected) {
        const position = focused.view.domPositionOf(newOffset(focused.offset));
        const run = position && focused.view.runOf(position.node);
        const span = run === undefined ? undefined : focused.view.elementOf(run);
        span?.setAttribute('tabindex', '-1');
        (span ?? scroller).focus({ preventScroll: true });
    }
    requestAnimationFrame(() => scroller.style.removeProperty('overflow-anchor'));
}

function firstSeen(views: readonly TextView[], top: number): { view: TextView; offset: number; top: number } | undefined {
    const view = views.find((it) => it.element.getBoundingClientRect().bottom > top);
    const offset = view?.offsetBelow(top);
    const rect = offset === undefined ? undefined : view?.rectOf(offset);
    return view && offset !== undefined && rect ? { view, offset, top: rect.top } : undefined;
}

/** An offset in one of several texts. */
interface TextPosition {
    view: TextView;
    offset: number;
}

/** The selection, if both of its ends are in texts. */
function selection(views: readonly TextView[]): { anchor: TextPosition; focus: TextPosition; isThere: () => boolean } | undefined {
    const selected = getSelection();
    const { anchorNode, focusNode, anchorOffset, focusOffset, isCollapsed } = selected ?? {};
    if (!anchorNode || !focusNode || isCollapsed) {
        return undefined;
    }
    const anchor = textPositionOf(views, anchorNode, anchorOffset ?? 0);
    const focus = textPositionOf(views, focusNode, focusOffset ?? 0);
    // When the selected nodes are removed, the browser moves the ends of the selection to the
    // remaining ones.
    const isThere = () => {
        const now = getSelection();
        const isAnchorThere = now?.anchorNode === anchorNode && now.anchorOffset === anchorOffset;
        return isAnchorThere && now.focusNode === focusNode && now.focusOffset === focusOffset;
    };
    return anchor && focus && { anchor, focus, isThere };
}

/** The text and the offset of a DOM position. */
function textPositionOf(views: readonly TextView[], node: Node, at: number): TextPosition | undefined {
    for (const view of views) {
        const offset = view.offsetOf(node, at);
        if (offset !== undefined) {
            return { view, offset };
        }
    }
    return undefined;
}

function focusedRun(views: readonly TextView[]): { view: TextView; span: HTMLElement; offset: number } | undefined {
    const span = document.activeElement;
    const view = span instanceof HTMLElement && span.dataset['run'] !== undefined ? views.find((it) => it.element.contains(span)) : undefined;
    const offset = view?.offsetOf(span as HTMLElement, 0);
    return view && offset !== undefined ? { view, span: span as HTMLElement, offset } : undefined;
}
