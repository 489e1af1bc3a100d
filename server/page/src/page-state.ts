/** What the page keeps for the next time: what was shown, and how the reader likes it. */

import type { StateStorage } from './host/connection';

/** The tabs, in their order and that of their digits. */
export const tabNames = ['text', 'markdown', 'messages', 'cases', 'compare'] as const;
export type TabName = (typeof tabNames)[number];

export interface PageState {
    /** The prompt that was shown, and how far it was scrolled. */
    uri?: string;
    /** Which prompt of a pack it was. */
    task?: string | undefined;
    scroll?: number;
    /** Whether it stays with that prompt. */
    isPinned: boolean;
    tab: TabName;
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

const usual: PageState = {
    isPinned: false,
    tab: 'text',
    showsWhitespace: false,
    scrollsTogether: true,
    // Where there is little room, the text comes first.
    showsSide: innerWidth >= 800,
    closed: [],
    isInline: false,
    showsAll: false,
};

/** Reads what was kept. It may come from another version, or be anything. */
export function loadPageState(storage: StateStorage): PageState {
    const kept = storage.read();
    const some = (typeof kept === 'object' && kept !== null ? kept : {}) as Partial<PageState>;
    const result: Record<string, unknown> = { ...usual };
    for (const [name, value] of Object.entries(usual)) {
        const other = some[name as keyof PageState];
        if (typeof other === typeof value && Array.isArray(other) === Array.isArray(value)) {
            result[name] = other;
        }
    }
    for (const name of ['uri', 'task', 'encoding', 'scroll'] as const) {
        if (typeof some[name] === (name === 'scroll' ? 'number' : 'string')) {
            result[name] = some[name];
        }
    }
    const state = result as unknown as PageState;
    return tabNames.includes(state.tab) ? state : { ...state, tab: usual.tab };
}
