/** The number of problems of a prompt, in words and as icons. */

import type { Case } from '../server/protocol';

/** The problems of a case as icons and numbers; empty if there are none. */
export function counts({ errors, warnings }: Pick<Case, 'errors' | 'warnings'>, before = ''): string {
    const parts = [errors && `$(error) ${errors}`, warnings && `$(warning) ${warnings}`].filter(Boolean);
    return parts.length > 0 ? before + parts.join(' ') : '';
}

/** The problems of a case or of a prompt in words: “2 errors, 1 warning”. */
export function counted({ errors, warnings }: Pick<Case, 'errors' | 'warnings'>): string {
    const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
    const parts = [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')];
    return parts.filter(Boolean).join(', ') || 'no problems';
}
