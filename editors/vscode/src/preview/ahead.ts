/**
 * Asks for the preview that a page is about to ask for.
 *
 * To tell a page that its prompt changed, to be asked by it, and to answer takes three messages
 * between VS Code's processes, longer than to make the preview. So the host asks by itself what the
 * page asked last, as soon as the server knows of a key, and hands on the answer in place of the news.
 */

import type { PreviewAnswer, PreviewParams } from 'promptls-page/protocol';

/**
 * How long nobody types before the server's own news are asked about, in milliseconds. What they
 * tell has been asked by then, unless something else changed with it.
 */
const rest = 300;

export class Ahead {
    /** What the page would ask next, if it can be told what changed since. */
    private next: PreviewParams | undefined;
    private isAsking = false;
    private isOld = false;
    private typedAt = -Infinity;
    private timer: NodeJS.Timeout | undefined;

    constructor(
        private readonly ask: (params: PreviewParams) => Promise<PreviewAnswer | null>,
        private readonly hand: (params: PreviewParams, answer: PreviewAnswer) => void,
        /** Tells the page that the prompt changed, where there is nothing to hand. */
        private readonly tell: (uri: string) => void,
    ) {}

    /** The page was given an answer. One that names no earlier one wants a text for something else. */
    answered(params: PreviewParams, answer: PreviewAnswer | null): void {
        if (params.previousResultId !== undefined) {
            const previousResultId = answer?.resultId;
            this.next = previousResultId === undefined ? undefined : { ...params, previousResultId };
        }
    }

    /** The server knows of a change of a document, which may be the prompt. */
    typed(uri: string): void {
        if (this.next?.textDocument.uri === uri) {
            this.typedAt = performance.now();
            void this.look(uri);
        }
    }

    /** The server says that a prompt changed, or something that it reads. */
    changed(uri: string): void {
        if (this.next?.textDocument.uri !== uri) {
            this.tell(uri);
            return;
        }
        clearTimeout(this.timer);
        const wait = this.typedAt + rest - performance.now();
        if (wait > 0) {
            this.timer = setTimeout(() => void this.look(uri), wait);
        } else {
            void this.look(uri);
        }
    }

    dispose(): void {
        clearTimeout(this.timer);
    }

    /** Changes that come before an answer are asked about together. */
    private async look(uri: string): Promise<void> {
        const params = this.next;
        if (params?.textDocument.uri !== uri) {
            this.tell(uri);
            return;
        }
        if (this.isAsking) {
            this.isOld = true;
            return;
        }
        this.isAsking = true;
        const answer = await this.ask(params).catch(() => null);
        this.isAsking = false;
        // The page may have asked for something else meanwhile.
        if (answer !== null && this.next === params) {
            this.answered(params, answer);
            this.hand(params, answer);
        } else {
            this.tell(uri);
        }
        if (this.isOld) {
            this.isOld = false;
            await this.look(uri);
        }
    }
}
