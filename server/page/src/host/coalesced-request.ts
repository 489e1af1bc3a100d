/**
 * Coalesced requests: one is pending at a time. Of the requests made meanwhile, only the newest is
 * sent after the response. So a page that receives many changes is never more than one response late.
 */
export class CoalescedRequest<Params, Result> {
    private isUnderWay = false;
    private waiting: { params: Params } | undefined;
    /** Responses to requests of an earlier generation were cancelled. */
    private generation = 0;

    constructor(
        private readonly request: (params: Params) => Promise<Result>,
        private readonly take: (result: Result, params: Params) => void,
        private readonly fail: (error: Error, params: Params) => void,
    ) {}

    /** Whether a response is pending. */
    get isBusy(): boolean {
        return this.isUnderWay;
    }

    send(params: Params): void {
        if (this.isUnderWay) {
            this.waiting = { params };
        } else {
            void this.run(params);
        }
    }

    /** Cancels the waiting request, and drops the response to the pending one. */
    cancel(): void {
        this.waiting = undefined;
        this.generation++;
    }

    private async run(params: Params): Promise<void> {
        this.isUnderWay = true;
        const { generation } = this;
        try {
            const result = await this.request(params);
            if (generation === this.generation) {
                this.take(result, params);
            }
        } catch (error) {
            if (generation === this.generation) {
                this.fail(error instanceof Error ? error : new Error(String(error)), params);
            }
        } finally {
            this.isUnderWay = false;
            const next = this.waiting;
            this.waiting = undefined;
            if (next !== undefined) {
                void this.run(next.params);
            }
        }
    }
}
