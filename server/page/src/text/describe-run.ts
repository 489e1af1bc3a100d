/** The source of a piece of the text, in words. */

import type { Run } from '../host/protocol';
import { locationName } from '../widgets/words';

/** The lines of a tooltip about a piece of the text. */
export function describeRun(run: Run): string[] {
    const via = (run.via ?? []).map((step) =>
        'fragment' in step ? `in fragment ${step.fragment}` : `in ${step.each}, item ${step.item + 1}`,
    );
    const name = run.path ?? 'value';
    const from = run.value === undefined ? [] : [`from ${locationName(run.value)}`];
    switch (run.kind) {
        case 'literal':
            return via;
        case 'escape':
            return ['Literal braces, by an escape', ...via];
        case 'missing':
            return [`${name} has no value in this case`, ...via];
        case 'runtime':
            return [`${name} is supplied at run time`, ...via];
        case 'value':
            return [name, ...via, ...from];
        case 'mixed': {
            const parts = (run.parts ?? []).map((part) => {
                const place = part.value && locationName(part.value);
                return ['·', nameOfPart(part), place && `from ${place}`].filter(Boolean).join(' ');
            });
            return [`${run.path ?? 'Made from several pieces'}`, ...via, ...from, ...new Set(parts)];
        }
    }
}

function nameOfPart({ kind, path }: Run): string {
    return kind === 'literal' ? 'text of the prompt' : kind === 'escape' ? 'braces of an escape' : (path ?? 'a value');
}
