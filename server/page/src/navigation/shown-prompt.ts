/** Which prompt is shown: the one in front, or the one that the page is pinned to. */

import type { FrontPrompt } from '../host/messages';
import type { PromptParams } from '../host/protocol';

export class ShownPrompt {
    /** The prompt that is in front while the page stays with another one. */
    private waiting: FrontPrompt | undefined;
    private pinned = false;

    /** `show` is told of the prompt to show from now on, which may be the one before. */
    constructor(
        private shown: FrontPrompt,
        private readonly show: (front: FrontPrompt, isOther: boolean) => void,
    ) {
        // Whoever comes with a prompt wants to stay with it.
        this.pinned = shown.uri !== null;
    }

    /** The prompt that is shown. */
    get front(): FrontPrompt {
        return this.shown;
    }

    get isPinned(): boolean {
        return this.pinned;
    }

    /** How the server is asked about it. */
    get params(): PromptParams {
        const { uri, task, position } = this.shown;
        return { textDocument: { uri: uri ?? '' }, ...(task ? { task } : {}), ...(position ? { position } : {}) };
    }

    /** The host answers, and says what is in front there. */
    start(front: FrontPrompt): void {
        if (this.pinned && this.shown.uri !== null) {
            this.waiting = front;
            this.show(this.shown, false);
        } else {
            this.follow(front);
        }
    }

    /** That prompt came to the front. */
    frontChanged(front: FrontPrompt): void {
        if (this.pinned) {
            this.waiting = front;
        } else if (JSON.stringify(front) !== JSON.stringify(this.shown)) {
            // Hosts may say so again with each key; what changed, the server tells.
            this.follow(front);
        }
    }

    /** `task`: which prompt of a pack is shown. Pinned, the page stays with that one, wherever it moves to. */
    pin(isPinned: boolean, task: string | undefined): void {
        this.pinned = isPinned;
        const { task: _, ...front } = this.shown;
        this.shown = { ...front, ...(isPinned && task ? { task } : {}) };
        if (!isPinned && this.waiting !== undefined) {
            this.follow(this.waiting);
            this.waiting = undefined;
        }
    }

    private follow(front: FrontPrompt): void {
        const isOther = front.uri !== this.shown.uri;
        this.shown = front;
        this.show(front, isOther);
    }
}
