// The time from a key press to the screen: for the letter, and for its preview.

/** Records, in a window with a preview, when keys are pressed and when their letters are drawn. */
export async function watchKeys(window) {
    await window.page.evaluate(() => {
        const keys = [];
        globalThis.promptlsKeys = keys;
        const now = () => performance.timeOrigin + performance.now();
        addEventListener('keydown', ({ timeStamp }) => keys.push({ pressed: performance.timeOrigin + timeStamp }), true);
        new MutationObserver(() => {
            const key = keys.at(-1);
            if (key !== undefined && key.letter === undefined) {
                key.letter = NaN;
                // A message is handled after the current frame.
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => {
                    port1.close();
                    key.letter = now();
                };
                port2.postMessage(null);
            }
        }).observe(document.querySelector('.editor-instance .view-lines'), { childList: true, subtree: true, characterData: true });
    });
}

/**
 * The medians since then, in milliseconds: from a key press to its letter, and to the preview drawn
 * after it. Each key press must wait for the preview of the previous one.
 */
export async function medianTimes(window) {
    const keys = await window.page.evaluate(() => globalThis.promptlsKeys);
    const paints = await window.preview.locator('body').evaluate(() =>
        performance.getEntriesByName('promptls:paint').map(({ startTime }) => performance.timeOrigin + startTime),
    );
    const preview = keys.map(({ pressed }, index) => {
        const next = keys[index + 1]?.pressed ?? Infinity;
        return paints.find((paint) => paint > pressed && paint < next) - pressed;
    });
    return { letter: median(keys.map(({ pressed, letter }) => letter - pressed)), preview: median(preview) };
}

function median(times) {
    const sorted = times.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
    return Math.round(sorted[sorted.length >> 1]);
}
