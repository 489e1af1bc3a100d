/**
 * Holds back, for a moment, previews in which a name is most likely half typed.
 *
 * While somebody types `{name}`, the names on the way have no values: `{n}`, `{na}`, `{nam}`. Drawn,
 * each would take the place of the value that was there, move the lines below, and bring the
 * engine's error above the text and take it away again. So what names something new that has no
 * value is drawn once the typing rests; anything else at once.
 */

import type { Preview } from './protocol';

/** How long the typing rests before what is missing is worth saying, in milliseconds. */
export const rest = 500;

export class HalfTyped {
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly draw: (preview: Preview) => void) {}

    /** Draws a preview after another one: now, or once the typing rests. */
    take(preview: Preview, drawn: Preview | undefined): void {
        this.cancel();
        if (drawn !== undefined && isHalfTyped(preview, drawn)) {
            this.timer = setTimeout(() => this.draw(preview), rest);
        } else {
            this.draw(preview);
        }
    }

    /** Forgets what is held back. */
    cancel(): void {
        clearTimeout(this.timer);
    }
}

/** Whether the same text now names something without a value that it did not name before. */
function isHalfTyped(preview: Preview, drawn: Preview): boolean {
    if (preview.uri !== drawn.uri || preview.task !== drawn.task || preview.case !== drawn.case) {
        return false;
    }
    // Most texts lack nothing, and this is asked with every key.
    const named = missingIn(preview);
    if (named.size === 0) {
        return false;
    }
    const known = missingIn(drawn);
    return [...named].some((it) => !known.has(it));
}

function missingIn({ map }: Preview): Set<string | null | undefined> {
    const names = new Set<string | null | undefined>();
    for (const { kind, path } of map) {
        if (kind === 'missing') {
            names.add(path);
        }
    }
    return names;
}
