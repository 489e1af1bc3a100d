/** The common part of all panes of the side bar: a heading that opens and closes them. */

import { element, newId } from '../widgets/dom';
import { icon } from '../widgets/icons';

export class Pane {
    readonly element: HTMLElement;
    readonly body: HTMLElement;
    private readonly heading: HTMLButtonElement;
    private readonly note = element('span.pane-note');

    constructor(
        title: string,
        readonly name: string,
        private isOpen: boolean,
        private readonly changed: (isOpen: boolean) => void,
    ) {
        const [headingId, bodyId] = [newId(), newId()];
        this.heading = element('button.pane-heading', { type: 'button', id: headingId, 'aria-controls': bodyId }, icon('chevron'), title, this.note);
        this.heading.addEventListener('click', () => this.open(!this.isOpen));
        this.body = element('div.pane-body', { id: bodyId, role: 'group', 'aria-labelledby': headingId });
        this.element = element('section.pane', { 'data-pane': name, 'aria-labelledby': headingId }, element('h2', {}, this.heading), this.body);
        this.draw();
    }

    get isShown(): boolean {
        return this.isOpen;
    }

    open(isOpen: boolean): void {
        this.isOpen = isOpen;
        this.draw();
        this.changed(isOpen);
    }

    focus(): void {
        this.heading.focus();
    }

    /** Shows a short text next to the title. */
    showNote(note: string): void {
        if (this.note.textContent !== note) {
            this.note.textContent = note;
        }
    }

    private draw(): void {
        this.heading.setAttribute('aria-expanded', String(this.isOpen));
        this.body.hidden = !this.isOpen;
        this.element.classList.toggle('open', this.isOpen);
    }
}
