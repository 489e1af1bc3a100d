/** How the reader likes the page, for the next time. */

import type { Memory } from './host/connection';

/** The views, in the order of their tabs and digits. */
export const viewNames = ['text', 'markdown', 'messages', 'cases', 'compare'] as const;
export type ViewName = (typeof viewNames)[number];

export interface Remembered {
    /** The prompt that was shown, and how far it was scrolled. */
    uri?: string;
    /** Which prompt of a pack it was. */
    task?: string | undefined;
    scroll?: number;
    /** Whether it stays with that prompt. */
    isPinned: boolean;
    view: ViewName;
    showsWhitespace: boolean;
    scrollsTogether: boolean;
    showsSide: boolean;
    /** The panes that are closed. */
    closed: string[];
    encoding?: string;
    /** Two texts in one column. */
    isInline: boolean;
    /** All lines of two texts, also those far from any change. */
    showsAll: boolean;
}

const usual: Remembered = {
    isPinned: false,
    view: 'text',
    showsWhitespace: false,
    scrollsTogether: true,
    // Where there is little room, the text comes first.
    showsSide: innerWidth >= 800,
    closed: [],
    isInline: false,
    showsAll: false,
};

/** Reads what is remembered. It may come from another version, or be anything. */
export function recalled(memory: Memory): Remembered {
    const state = memory.read();
    const some = (typeof state === 'object' && state !== null ? state : {}) as Partial<Remembered>;
    const result: Record<string, unknown> = { ...usual };
    for (const [name, value] of Object.entries(usual)) {
        const other = some[name as keyof Remembered];
        if (typeof other === typeof value && Array.isArray(other) === Array.isArray(value)) {
            result[name] = other;
        }
    }
    for (const name of ['uri', 'task', 'encoding', 'scroll'] as const) {
        if (typeof some[name] === (name === 'scroll' ? 'number' : 'string')) {
            result[name] = some[name];
        }
    }
    const remembered = result as unknown as Remembered;
    return viewNames.includes(remembered.view) ? remembered : { ...remembered, view: usual.view };
}
