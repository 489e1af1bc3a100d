/** What keys do where nothing else takes them. */

export interface KeyActs {
    /** Keys of one letter, and the digits of the tabs: what to do, if anything. */
    of(key: string): (() => void) | undefined;
    /** To where a piece of the text comes from: its placeholder, or its value. */
    follow(piece: HTMLElement, toValue: boolean): void;
    /** Back to the text. */
    leave(): void;
}

export class Keys {
    constructor(
        private readonly panels: HTMLElement,
        private readonly acts: KeyActs,
    ) {
        document.addEventListener('keydown', (event) => this.pressed(event));
    }

    private pressed(event: KeyboardEvent): void {
        const on = event.target instanceof Element ? event.target : document.body;
        const isTaken = on.closest('input, textarea, select, dialog') ?? document.querySelector('dialog[open]');
        if (event.defaultPrevented || isTaken) {
            return;
        }
        const isInText = on === document.body || this.panels.contains(on);
        const piece = isInText && on instanceof HTMLElement && on.dataset['run'] !== undefined ? on : undefined;
        if (event.key === 'Escape' && (!isInText || piece !== undefined)) {
            this.acts.leave();
            return;
        }
        if (!isInText || event.isComposing) {
            return;
        }
        const isModified = event.altKey || event.ctrlKey || event.metaKey;
        if (event.key === 'Enter' && piece !== undefined) {
            this.acts.follow(piece, isModified);
            event.preventDefault();
            return;
        }
        const act = isModified ? undefined : this.acts.of(event.key);
        if (act !== undefined) {
            act();
            event.preventDefault();
        }
    }
}
