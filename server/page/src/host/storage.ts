/** State that the browser stores for a page. */

import type { StateStorage } from './connection';

const key = 'promptls.preview';

/** The browser's storage; if there is none, as in some private windows, nothing is stored. */
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
            // The storage is full or forbidden.
        }
    },
};
