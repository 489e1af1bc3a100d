/**
 * Measures the time from a change to the text on the screen, with marks for profilers and tests:
 * `promptls:change`, `promptls:answer` and `promptls:paint`. The measures are
 * `promptls:change-to-paint` and, without the server's time, `promptls:answer-to-paint`.
 */
export class Timings {
    /** The time of the first change that no request covers yet. */
    private changedAt: number | undefined;
    /** The same for the pending request, and for the response that will be drawn. */
    private requestedFor: number | undefined;
    private toDraw: number | undefined;
    private answeredAt = 0;

    changed(): void {
        const { startTime } = performance.mark('promptls:change');
        this.changedAt ??= startTime;
    }

    requested(): void {
        this.requestedFor = this.changedAt;
        this.changedAt = undefined;
    }

    answered(): void {
        this.answeredAt = performance.mark('promptls:answer').startTime;
        this.toDraw ??= this.requestedFor;
        this.requestedFor = undefined;
    }

    /** Records the number of blocks drawn in this frame. */
    drawn(blocks: number): void {
        const [start, answered] = [this.toDraw, this.answeredAt];
        this.toDraw = undefined;
        // A message is handled after the current frame.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            const end = performance.mark('promptls:paint', { detail: { blocks } }).startTime;
            if (start !== undefined) {
                performance.measure('promptls:change-to-paint', { start, end, detail: { blocks } });
                performance.measure('promptls:answer-to-paint', { start: answered, end, detail: { blocks } });
            }
            if (performance.getEntriesByName('promptls:paint').length > 200) {
                performance.clearMarks();
                performance.clearMeasures();
            }
        };
        port2.postMessage(null);
    }
}
