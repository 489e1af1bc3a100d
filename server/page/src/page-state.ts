/** State that the page stores: what was shown, and the user's preferences. */

import type { StateStorage } from './host/connection';

/** The tabs in their order, which is also that of their digits. */
export const tabNames = ['text', 'markdown', 'messages', 'cases', 'compare'] as const;
export type TabName = (typeof tabNames)[number];

export interface PageState {
    /** The last prompt, and its scroll position. */
    uri?: string;
    /** The last prompt of a pack. */
    task?: string | undefined;
    scroll?: number;
    /** Whether the page is pinned to that prompt. */
    isPinned: boolean;
    tab: TabName;
    showsWhitespace: boolean;
    scrollsTogether: boolean;
    showsSide: boolean;
    /** The closed panes. */
    closed: string[];
    encoding?: string;
    /** Two texts in one column. */
    isInline: boolean;
    /** All lines of two texts, including those far from any change. */
    showsAll: boolean;
}

const usual: PageState = {
    isPinned: false,
    tab: 'text',
    showsWhitespace: false,
    scrollsTogether: true,
    // On small screens, the text has priority.
    showsSide: innerWidth >= 800,
    closed: [],
    isInline: false,
    showsAll: false,
};

/** Reads the stored state, which may be from another version, or invalid. */
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
