/** Human-readable numbers and names. */

import type { Case, EngineError, Location } from '../host/protocol';

/** A count with its noun: `1 error`, `3 errors`, `12,000 words`. */
export function count(number: number, one: string, many = `${one}s`): string {
    return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** `2 errors, 1 warning`; empty if there are none. */
export function counted({ errors, warnings }: Pick<Case, 'errors' | 'warnings'>): string {
    const parts = [errors && count(errors, 'error'), warnings && count(warnings, 'warning')];
    return parts.filter(Boolean).join(', ');
}

/** The engine's error message, and the text that is sent instead, if any. */
export function errorText({ message, instead }: EngineError): string {
    return instead === undefined ? `Not sent: ${message}` : `Fails: ${message}. ${instead}`;
}

/** A share in percent. Small shares are not rounded to 0%, nor large ones to 100%. */
export function share(part: number, whole: number): string {
    if (whole === 0 || part === 0) {
        return '0%';
    }
    const percent = (100 * part) / whole;
    if (percent < 1) {
        return '<1%';
    }
    return part < whole ? `${Math.min(99, Math.round(percent))}%` : `${Math.round(percent)}%`;
}

/** The name of a file. */
export function fileName(uri: string): string {
    const last = uri.split(/[?#]/)[0]?.split('/').pop() ?? '';
    try {
        return decodeURIComponent(last) || uri;
    } catch {
        return last;
    }
}

/** `support.inputs.json:3`, with the line counted from 1 as in editors. */
export function locationName({ uri, range }: Location): string {
    return `${fileName(uri)}:${range.start.line + 1}`;
}

/** With a capital first letter. */
export function capitalized(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of a side of a comparison. */
export function sideName({ case: name, revision }: { case?: string | null; revision?: string | null }): string {
    return [name ?? 'no inputs', revision && revisionName(revision)].filter(Boolean).join(', ');
}

/** `at the last commit`, `at main`, `in the store prod`. */
export function revisionName(revision: string): string {
    const store = /^store:([^:]*):?(.*)$/.exec(revision);
    if (store) {
        return `in the store ${store[1]}${store[2] && ` (${store[2]})`}`;
    }
    return revision === 'HEAD' ? 'at the last commit' : `at ${revision}`;
}
