/**
 * Edits of values, sent one after the other; those that wait are coalesced, so that of one value
 * only the newest is sent.
 *
 * The host answers before its editor has made an edit, and what is sent until then is about a text
 * that is old by the time it gets there, so that the editor would drop it. Hence the next one waits
 * until the form of the inputs says what was sent.
 */

export interface InputEdit {
    keys: string[];
    /** `undefined` takes it away. */
    value: unknown;
    /** The case. */
    name: string | null;
}

/** How long to wait for the form, in milliseconds: an edit that was undone at once is never seen there. */
const patience = 3000;

export class EditQueue {
    private readonly waiting = new Map<string, InputEdit>();
    private sent: { edit: InputEdit; arrived: () => void } | undefined;

    constructor(
        private readonly send: (edit: InputEdit) => Promise<unknown>,
        private readonly fail: (message: string) => void,
        /** All that was to be sent is sent. */
        private readonly done: () => void,
    ) {}

    add(edit: InputEdit): void {
        this.waiting.set(keyOf(edit), edit);
        if (this.sent === undefined) {
            void this.work();
        }
    }

    /** Whether an edit of that value is under way. */
    isBusy(keys: string[]): boolean {
        return (this.sent && keyOf(this.sent.edit)) === keyOf({ keys }) || this.waiting.has(keyOf({ keys }));
    }

    /** There is a newer form. `says` tells whether it says what an edit was to make of it. */
    formChanged(says: (edit: InputEdit) => boolean): void {
        if (this.sent !== undefined && says(this.sent.edit)) {
            this.sent.arrived();
        }
    }

    private async work(): Promise<void> {
        for (let next = this.waiting.entries().next(); !next.done; next = this.waiting.entries().next()) {
            const [key, edit] = next.value;
            this.waiting.delete(key);
            let arrived = () => {};
            const arrival = new Promise<void>((resolve) => (arrived = resolve));
            this.sent = { edit, arrived };
            try {
                await this.send(edit);
                setTimeout(arrived, patience);
                await arrival;
            } catch (error) {
                this.fail(error instanceof Error ? error.message : String(error));
            }
        }
        this.sent = undefined;
        this.done();
    }
}

function keyOf({ keys }: Pick<InputEdit, 'keys'>): string {
    return JSON.stringify(keys);
}
