/** Words that both the extension and the preview page use. */

import type { Case } from './protocol';

/** The problems of a case: “2 errors, 1 warning”. */
export function counted({ errors, warnings }: Case): string {
    const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
    const parts = [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')];
    return parts.filter(Boolean).join(', ') || 'no problems';
}
