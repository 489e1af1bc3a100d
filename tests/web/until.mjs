import { setTimeout } from 'node:timers/promises';

/**
 * The time after which something counts as broken, in milliseconds. It only matters for failures,
 * and on a busy machine VS Code takes two minutes to open.
 */
export const patience = 120_000;

/** Waits until a condition holds, and returns its value. An exception counts as “not yet”. */
export async function until(what, condition, limit = patience) {
    const end = Date.now() + limit;
    let last;
    for (;;) {
        try {
            last = await condition();
            if (last) {
                return last;
            }
        } catch (error) {
            last = error;
        }
        if (Date.now() > end) {
            throw new Error(`waited ${limit / 1000} s in vain until ${what}; last: ${String(last)}`);
        }
        await setTimeout(30);
    }
}
