/** The current prompt: the one in front, or the one that the page is pinned to. */

import type { FrontPrompt } from '../host/messages';
import type { PromptParams } from '../host/protocol';

export class ShownPrompt {
    /** The prompt in front while the page is pinned to another one. */
    private waiting: FrontPrompt | undefined;
    private pinned = false;

    /** `show` receives the prompt to show, which may be the same as before. */
    constructor(
        private shown: FrontPrompt,
        private readonly show: (front: FrontPrompt, isOther: boolean) => void,
    ) {
        // A page that is opened with a prompt is pinned to it.
        this.pinned = shown.uri !== null;
    }

    /** The prompt that is shown. */
    get front(): FrontPrompt {
        return this.shown;
    }

    get isPinned(): boolean {
        return this.pinned;
    }

    /** The parameters of requests about it. */
    get params(): PromptParams {
        const { uri, task, position } = this.shown;
        return { textDocument: { uri: uri ?? '' }, ...(task ? { task } : {}), ...(position ? { position } : {}) };
    }

    /** Handles the host's response with the prompt in front. */
    start(front: FrontPrompt): void {
        if (this.pinned && this.shown.uri !== null) {
            this.waiting = front;
            this.show(this.shown, false);
        } else {
            this.follow(front);
        }
    }

    /** Handles another prompt coming to the front. */
    frontChanged(front: FrontPrompt): void {
        if (this.pinned) {
            this.waiting = front;
        } else if (JSON.stringify(front) !== JSON.stringify(this.shown)) {
            // Hosts may repeat this with each key press; the server reports changes.
            this.follow(front);
        }
    }

    /** `task` is the current prompt of a pack. A pinned page stays with it, wherever it moves. */
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
