/**
 * Delays previews in which a name is most likely half typed.
 *
 * While a user types `{name}`, the intermediate names have no values: `{n}`, `{na}`, `{nam}`.
 * Drawing each of them would replace the previous value, move the lines below, and briefly show the
 * engine's error above the text. So a preview with a new name without a value is drawn only after a
 * pause in typing; all others are drawn at once.
 */

import type { Preview } from './protocol';

/** The pause in typing before missing values are shown, in milliseconds. */
export const rest = 500;

export class HalfTyped {
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly draw: (preview: Preview) => void) {}

    /** Draws a preview after another one: now, or after a pause in typing. */
    take(preview: Preview, drawn: Preview | undefined): void {
        this.cancel();
        if (drawn !== undefined && isHalfTyped(preview, drawn)) {
            this.timer = setTimeout(() => this.draw(preview), rest);
        } else {
            this.draw(preview);
        }
    }

    /** Discards the delayed preview. */
    cancel(): void {
        clearTimeout(this.timer);
    }
}

/** Whether the same prompt contains a name without a value that it did not contain before. */
function isHalfTyped(preview: Preview, drawn: Preview): boolean {
    if (preview.uri !== drawn.uri || preview.task !== drawn.task || preview.case !== drawn.case) {
        return false;
    }
    // Most texts have all values, and this runs for every key press.
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
