/**
 * Requests a preview before the page does.
 *
 * A notification to the page, its request and the response are three messages between VS Code's
 * processes, which take longer than creating the preview. So the host repeats the page's last
 * request when the server receives a key press, and sends the response instead of the notification.
 */

import type { PreviewAnswer, PreviewParams } from 'promptls-page/protocol';

/**
 * The pause in typing after which notifications of the server cause a request, in milliseconds.
 * Before that, the request for the key press already covers them, unless something else has
 * changed.
 */
const rest = 300;

export class Ahead {
    /** The page's next request, if it is incremental. */
    private next: PreviewParams | undefined;
    private isAsking = false;
    private isOld = false;
    private typedAt = -Infinity;
    private timer: NodeJS.Timeout | undefined;

    constructor(
        private readonly request: (params: PreviewParams) => Promise<PreviewAnswer | null>,
        private readonly hand: (params: PreviewParams, answer: PreviewAnswer) => void,
        /** Notifies the page of a change if there is no response to send. */
        private readonly notify: (uri: string) => void,
    ) {}

    /** Records a response to the page. A request without a previous id needs the text for another purpose. */
    answered(params: PreviewParams, answer: PreviewAnswer | null): void {
        if (params.previousResultId !== undefined) {
            const previousResultId = answer?.resultId;
            this.next = previousResultId === undefined ? undefined : { ...params, previousResultId };
        }
    }

    /** Called when the server has received a change of a document, which may be the prompt. */
    typed(uri: string): void {
        if (this.next?.textDocument.uri === uri) {
            this.typedAt = performance.now();
            void this.look(uri);
        }
    }

    /** Called when the server reports a change of a prompt, or of a file that it reads. */
    changed(uri: string): void {
        if (this.next?.textDocument.uri !== uri) {
            this.notify(uri);
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

    /** Changes during a pending request are covered by one further request. */
    private async look(uri: string): Promise<void> {
        const params = this.next;
        if (params?.textDocument.uri !== uri) {
            this.notify(uri);
            return;
        }
        if (this.isAsking) {
            this.isOld = true;
            return;
        }
        this.isAsking = true;
        const answer = await this.request(params).catch(() => null);
        this.isAsking = false;
        // The page may have sent another request meanwhile.
        if (answer !== null && this.next === params) {
            this.answered(params, answer);
            this.hand(params, answer);
        } else {
            this.notify(uri);
        }
        if (this.isOld) {
            this.isOld = false;
            await this.look(uri);
        }
    }
}
