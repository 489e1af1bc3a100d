/**
 * How long it takes from a change to the text on the screen: marks that a profiler shows, and that
 * tests read. `promptls:change`, `promptls:answer`, `promptls:paint` and the measures
 * `promptls:change-to-paint` and, without what the server took, `promptls:answer-to-paint`.
 */
export class Timings {
    /** When the first change was that no request is about yet. */
    private changedAt: number | undefined;
    /** The same for the request that is under way, and for the answer that is to be drawn. */
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

    /** So many blocks were drawn in this frame. */
    drawn(blocks: number): void {
        const [start, answered] = [this.toDraw, this.answeredAt];
        this.toDraw = undefined;
        // A message is handled after the frame that is being made.
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
