/**
 * Edits of values, sent one after the other: the host responds when its editor has applied an edit,
 * or with an error. Of the waiting edits, only the newest of each value is sent.
 */

export interface InputEdit {
    keys: string[];
    /** `undefined` removes the value. */
    value: unknown;
    /** The case. */
    name: string | null;
}

export interface EditQueueActs {
    send(edit: InputEdit): Promise<unknown>;
    /** Called when the last edit of a value failed. */
    refused(edit: InputEdit, reason: string): void;
    /** Called when the queue is empty. */
    done(): void;
}

export class EditQueue {
    private readonly waiting = new Map<string, InputEdit>();
    private sent: string | undefined;

    constructor(private readonly acts: EditQueueActs) {}

    add(edit: InputEdit): void {
        this.waiting.set(keyOf(edit), edit);
        if (this.sent === undefined) {
            void this.work();
        }
    }

    /** Whether an edit of that value is pending. */
    isBusy(edit: Omit<InputEdit, 'value'>): boolean {
        return this.sent === keyOf(edit) || this.waiting.has(keyOf(edit));
    }

    private async work(): Promise<void> {
        for (let next = this.waiting.entries().next(); !next.done; next = this.waiting.entries().next()) {
            const [key, edit] = next.value;
            this.waiting.delete(key);
            this.sent = key;
            try {
                await this.acts.send(edit);
            } catch (error) {
                // A newer edit of the value has priority, and is sent next.
                if (!this.waiting.has(key)) {
                    this.acts.refused(edit, error instanceof Error ? error.message : String(error));
                }
            }
        }
        this.sent = undefined;
        this.acts.done();
    }
}

function keyOf({ keys, name }: Omit<InputEdit, 'value'>): string {
    return JSON.stringify([name, keys]);
}
