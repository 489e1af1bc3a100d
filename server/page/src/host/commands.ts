/** The server's commands for inputs and cases. */

import type { Connection } from './connection';
import { type CommandArgument, type PromptParams, createInputs, selectCase, setInput } from './protocol';

export class Commands {
    /**
     * `complain` receives errors without another handler. `selected` is called when another case
     * may be selected.
     */
    constructor(
        private readonly host: Connection,
        private readonly prompt: () => PromptParams,
        private readonly complain: (message: string) => void,
        private readonly selected: () => void,
    ) {}

    /** Runs a command for the current prompt. */
    private run(command: string, some: Partial<CommandArgument>): Promise<unknown> {
        const { textDocument: { uri }, ...which } = this.prompt();
        const argument = { uri, ...which, ...some };
        return this.host.request('workspace/executeCommand', { command, arguments: [argument] });
    }

    async selectCase(name: string): Promise<void> {
        await this.run(selectCase, { case: name }).catch((error: Error) => this.complain(error.message));
        this.selected();
    }

    /** Sets a value; `undefined` removes it. */
    setInput(keys: string[], value: unknown, name: string | null): Promise<unknown> {
        return this.run(setInput, { keys, ...(name === null ? {} : { case: name }), ...(value === undefined ? {} : { value }) });
    }

    /** Creates the first inputs file of a prompt. */
    async createInputs(): Promise<void> {
        await this.run(createInputs, {}).catch((error: Error) => this.complain(error.message));
    }

    /** Creates a case with the values of another one. */
    async createCase(name: string, from: string | null | undefined): Promise<void> {
        await this.run(createInputs, { case: name, ...(from ? { from } : {}) });
        // The case exists once the host has created the file, which may take some time.
        for (const pause of [0, 100, 400]) {
            await new Promise((resolve) => setTimeout(resolve, pause));
            const isThere = await this.run(selectCase, { case: name }).then(() => true, () => false);
            if (isThere) {
                break;
            }
        }
        this.selected();
    }
}
