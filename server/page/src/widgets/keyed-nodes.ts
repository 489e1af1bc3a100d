/** Keeps the nodes of what looks as before, and with them the selection, the focus and what the pointer is over. */

/**
 * For each of the new pieces, the old one that looks the same, each of these once: those at both
 * ends in order, and of the others the first that is free.
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
    // In order only: what moved past others is drawn anew.
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

/** Keeps what was drawn for the same keys, and draws the others. */
export function reuseByKey<T extends { key: string }>(old: readonly T[], keys: readonly string[], draw: (key: string, index: number) => T): T[] {
    const kept = matched(old.map((it) => it.key), keys);
    return keys.map((key, index) => {
        const same = kept[index] === undefined ? undefined : old[kept[index]];
        return same ?? draw(key, index);
    });
}
