/** Assigns colours to files. */

import type { Preview, Run } from '../host/protocol';

/** The number of files with their own tint; the style sheet has a class for each. */
const tints = 6;

/** The files that values come from, with their tints. */
export class Tints {
    private readonly byFile: ReadonlyMap<string, number>;

    /** The inputs of the case come first, then the other files in the order of their values. */
    constructor({ map, cases, case: current }: Pick<Preview, 'map' | 'cases' | 'case'>) {
        const inputs = cases.find((it) => it.name === current)?.uri;
        const uris = new Set<string>();
        for (const run of map) {
            if (run.value !== undefined) {
                uris.add(run.value.uri);
            }
        }
        const ordered = [...uris].sort((a, b) => Number(b === inputs) - Number(a === inputs));
        // The first tint is reserved for the inputs, so that colours have the same meaning in every
        // case.
        const offset = inputs != null && uris.has(inputs) ? 0 : 1;
        this.byFile = new Map(ordered.map((uri, index) => [uri, (index + offset) % tints]));
    }

    of(run: Run): number | undefined {
        return run.value && this.byFile.get(run.value.uri);
    }

    get files(): readonly (readonly [uri: string, tint: number])[] {
        return [...this.byFile];
    }
}
