/** Keyboard shortcuts, for keys without another handler. */

export interface KeyActs {
    /** The action for a letter or for the digit of a tab; `undefined` if there is none. */
    of(key: string): (() => void) | undefined;
    /** Goes to the source of a piece of the text: its placeholder, or its value. */
    follow(piece: HTMLElement, toValue: boolean): void;
    /** Returns to the text. */
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
