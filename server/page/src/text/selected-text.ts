/** The selected part of the text. */

import type { TextView } from './text-view';

/** The selected text, exactly as it is sent; `undefined` if the selection is elsewhere. */
export function selectedText(views: readonly TextView[]): string | undefined {
    const selected = getSelection();
    if (!selected || selected.rangeCount === 0 || selected.isCollapsed || views.length === 0) {
        return undefined;
    }
    const range = selected.getRangeAt(0);
    const touched = views.filter((it) => range.intersectsNode(it.element));
    const [first, last] = [touched[0], touched.at(-1)];
    if (!first || !last) {
        return undefined;
    }
    // A selection that starts outside begins at the start of the text.
    const start = first.offsetOf(range.startContainer, range.startOffset) ?? first.range[0];
    const end = last.offsetOf(range.endContainer, range.endOffset) ?? last.range[1];
    return first.text.slice(start, end);
}
