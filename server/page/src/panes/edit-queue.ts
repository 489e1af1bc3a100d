/** Edits of values, sent one after the other; of one value, only the newest that waits. */

export interface InputEdit {
    keys: string[];
    /** `undefined` takes it away. */
    value: unknown;
    /** The case. */
    name: string | null;
}

export class EditQueue {
    private readonly waiting = new Map<string, InputEdit>();
    private sending: string | undefined;

    constructor(
        private readonly send: (edit: InputEdit) => Promise<unknown>,
        private readonly fail: (message: string) => void,
        /** All that was to be sent is sent. */
        private readonly done: () => void,
    ) {}

    add(edit: InputEdit): void {
        this.waiting.set(JSON.stringify(edit.keys), edit);
        if (this.sending === undefined) {
            void this.work();
        }
    }

    /** Whether an edit of that value is under way. */
    isBusy(keys: string[]): boolean {
        const key = JSON.stringify(keys);
        return this.sending === key || this.waiting.has(key);
    }

    private async work(): Promise<void> {
        for (let next = this.waiting.entries().next(); !next.done; next = this.waiting.entries().next()) {
            const [key, edit] = next.value;
            this.waiting.delete(key);
            this.sending = key;
            try {
                await this.send(edit);
            } catch (error) {
                this.fail(error instanceof Error ? error.message : String(error));
            }
        }
        this.sending = undefined;
        this.done();
    }
}
