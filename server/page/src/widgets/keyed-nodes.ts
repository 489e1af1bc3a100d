/** Keeps the nodes of unchanged pieces, and with them the selection, the focus and the pointer's target. */

/**
 * For each new piece, an old one with the same key, each used once: first at both ends in order,
 * then the first free one.
 */
export function matched(old: readonly string[], next: readonly string[]): (number | undefined)[] {
    const result: (number | undefined)[] = new Array(next.length).fill(undefined);
    let start = 0;
    while (start < old.length && start < next.length && old[start] === next[start]) {
        result[start] = start;
        start++;
    }
    let end = 0;
    while (end < old.length - start && end < next.length - start && old[old.length - 1 - end] === next[next.length - 1 - end]) {
        end++;
        result[next.length - end] = old.length - end;
    }
    const free = new Map<string, number[]>();
    for (let index = old.length - end - 1; index >= start; index--) {
        const key = old[index] as string;
        const same = free.get(key);
        if (same === undefined) {
            free.set(key, [index]);
        } else {
            same.push(index);
        }
    }
    // In order only: pieces that moved past others are drawn again.
    let last = start - 1;
    for (let index = start; index < next.length - end; index++) {
        const same = free.get(next[index] as string);
        while (same?.length && (same.at(-1) as number) <= last) {
            same.pop();
        }
        const found = same?.pop();
        if (found !== undefined) {
            result[index] = found;
            last = found;
        }
    }
    return result;
}

/** Keeps the nodes with the same keys, and draws the others. */
export function reuseByKey<T extends { key: string }>(old: readonly T[], keys: readonly string[], draw: (key: string, index: number) => T): T[] {
    const kept = matched(old.map((it) => it.key), keys);
    return keys.map((key, index) => {
        const same = kept[index] === undefined ? undefined : old[kept[index]];
        return same ?? draw(key, index);
    });
}
