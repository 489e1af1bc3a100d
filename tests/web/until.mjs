import { setTimeout } from 'node:timers/promises';

/**
 * How long something may take before it is taken for broken, in milliseconds: nobody waits for it
 * unless it is, and on a machine that has much else to do VS Code takes two minutes to open.
 */
export const patience = 120_000;

/** Waits until a condition holds, and gives what it gave. What it throws counts as “not yet”. */
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
