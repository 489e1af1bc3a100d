/** The input for the name of a new case, below the button. */

import { button } from '../widgets/controls';
import { element, setText } from '../widgets/dom';

export class NewCase {
    readonly element: HTMLFormElement;
    private readonly field = element('input', { type: 'text', id: 'new-case', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'new-case-invalid' });
    private readonly from = element('p.new-case-from');
    private readonly invalid = element('p.field-invalid', { id: 'new-case-invalid', role: 'alert', hidden: true });

    constructor(
        private readonly opener: HTMLElement,
        private readonly create: (name: string) => Promise<unknown>,
    ) {
        const submit = element('button.primary', { type: 'submit' }, 'Create');
        const buttons = element('div.form-buttons', {}, button('Cancel', () => this.close()), submit);
        const label = element('label', { for: 'new-case' }, 'Name of the new case');
        this.element = element('form.popover', { hidden: true, 'aria-label': 'New case' }, label, this.field, this.invalid, this.from, buttons);
        this.element.addEventListener('submit', (event) => {
            event.preventDefault();
            void this.submit();
        });
        this.element.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') {
                this.close();
            }
        });
        document.addEventListener('pointerdown', ({ target }) => {
            if (!this.element.contains(target as Node) && !opener.contains(target as Node)) {
                this.close(false);
            }
        });
    }

    toggle(from: string | null): void {
        if (!this.element.hidden) {
            this.close();
            return;
        }
        setText(this.from, from === null ? '' : `It starts with the values of “${from}”.`);
        this.invalid.hidden = true;
        this.field.value = '';
        this.element.hidden = false;
        this.opener.setAttribute('aria-expanded', 'true');
        this.field.focus();
    }

    private async submit(): Promise<void> {
        const name = this.field.value.trim();
        try {
            if (name === '') {
                throw new Error('Type a name');
            }
            await this.create(name);
            this.close();
        } catch (error) {
            this.invalid.hidden = false;
            setText(this.invalid, (error as Error).message);
            this.field.focus();
        }
    }

    private close(givesFocus = true): void {
        if (this.element.hidden) {
            return;
        }
        this.element.hidden = true;
        this.opener.setAttribute('aria-expanded', 'false');
        if (givesFocus) {
            this.opener.focus();
        }
    }
}
