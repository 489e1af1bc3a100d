/**
 * Asks one question at a time. What is asked meanwhile waits, and only the newest of it is asked
 * when the answer has come: so a page that hears of many changes never lags behind them.
 */
export class Latest<Question, Answer> {
    private isAsking = false;
    private waiting: { question: Question } | undefined;
    /** Answers to older ones than this are dropped. */
    private round = 0;

    constructor(
        private readonly put: (question: Question) => Promise<Answer>,
        private readonly take: (answer: Answer, question: Question) => void,
        private readonly fail: (error: Error, question: Question) => void,
    ) {}

    ask(question: Question): void {
        if (this.isAsking) {
            this.waiting = { question };
        } else {
            void this.run(question);
        }
    }

    /** Drops what is waiting, and the answer that is under way. */
    forget(): void {
        this.waiting = undefined;
        this.round++;
    }

    private async run(question: Question): Promise<void> {
        this.isAsking = true;
        const { round } = this;
        try {
            const answer = await this.put(question);
            if (round === this.round) {
                this.take(answer, question);
            }
        } catch (error) {
            if (round === this.round) {
                this.fail(error instanceof Error ? error : new Error(String(error)), question);
            }
        } finally {
            this.isAsking = false;
            const next = this.waiting;
            this.waiting = undefined;
            if (next !== undefined) {
                void this.run(next.question);
            }
        }
    }
}
