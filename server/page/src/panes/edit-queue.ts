/**
 * Edits of values, sent one after the other: the host answers when its editor has made an edit, or
 * says why it has not. Of those that wait, only the newest of each value is sent.
 */

export interface InputEdit {
    keys: string[];
    /** `undefined` takes it away. */
    value: unknown;
    /** The case. */
    name: string | null;
}

export interface EditQueueActs {
    send(edit: InputEdit): Promise<unknown>;
    /** The last edit of a value was not made. */
    refused(edit: InputEdit, reason: string): void;
    /** All that was to be sent was sent. */
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

    /** Whether an edit of that value is under way. */
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
                // What was typed since counts, and is yet to be tried.
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
