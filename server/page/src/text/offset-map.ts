/** Maps offsets of an old text to a new one. */

/** The number of units that are compared at once. */
const step = 4096;

/** Returns the new offset for an old one. Offsets in the changed middle map to its start. */
export function offsetMap(old: string, next: string): (offset: number) => number {
    const prefix = samePrefix(old, next);
    const suffix = sameSuffix(old, next, Math.min(old.length, next.length) - prefix);
    return (offset) => {
        if (offset <= prefix) {
            return offset;
        }
        return offset >= old.length - suffix ? offset + next.length - old.length : Math.min(offset, next.length - suffix);
    };
}

function samePrefix(a: string, b: string): number {
    const most = Math.min(a.length, b.length);
    let at = 0;
    while (at + step <= most && a.slice(at, at + step) === b.slice(at, at + step)) {
        at += step;
    }
    while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) {
        at++;
    }
    return at;
}

function sameSuffix(a: string, b: string, most: number): number {
    const tail = (text: string, at: number, length: number) => text.slice(text.length - at - length, text.length - at);
    let at = 0;
    while (at + step <= most && tail(a, at, step) === tail(b, at, step)) {
        at += step;
    }
    while (at < most && a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at)) {
        at++;
    }
    return at;
}
