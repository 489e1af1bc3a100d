/** What a browser keeps for a page. */

import type { StateStorage } from './connection';

const key = 'promptls.preview';

/** The browser's storage; without one, as in some private windows, nothing is kept. */
export const storage: StateStorage = {
    read() {
        try {
            return JSON.parse(localStorage.getItem(key) ?? 'null');
        } catch {
            return null;
        }
    },
    write(state) {
        try {
            localStorage.setItem(key, JSON.stringify(state));
        } catch {
            // It is full, or forbidden.
        }
    },
};
