/**
 * Requests that are coalesced: one is under way at a time, and of those that come meanwhile, only
 * the newest is sent when its answer is there. So a page that hears of many changes never lags
 * behind them.
 */
export class CoalescedRequest<Params, Result> {
    private isUnderWay = false;
    private waiting: { params: Params } | undefined;
    /** Answers to requests of an earlier generation were cancelled. */
    private generation = 0;

    constructor(
        private readonly request: (params: Params) => Promise<Result>,
        private readonly take: (result: Result, params: Params) => void,
        private readonly fail: (error: Error, params: Params) => void,
    ) {}

    /** Whether an answer is yet to come. */
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

    /** Cancels what is waiting, and drops the answer to what is under way. */
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
