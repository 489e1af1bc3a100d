import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds, and gives what it gave. What it throws counts as “not yet”. */
export async function until(what, condition, limit = 20_000) {
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
