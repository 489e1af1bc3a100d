/** Buttons and similar controls in the style of VS Code. */

import { element, setAttribute } from './dom';
import { type IconName, icon } from './icons';

/** An icon button, whose name is in the tooltip. */
export function iconButton(name: IconName, label: string, act: () => void): HTMLButtonElement {
    const made = element('button.icon-button', { type: 'button', 'aria-label': label, 'data-tip': label }, icon(name));
    made.addEventListener('click', act);
    return made;
}

/** Changes the name of an icon button. */
export function relabel(button: HTMLElement, label: string): void {
    setAttribute(button, 'aria-label', label);
    setAttribute(button, 'data-tip', label);
}

/** A toggle button. */
export function toggle(name: IconName, label: string, isOn: boolean, change: (isOn: boolean) => void): HTMLButtonElement {
    const made = iconButton(name, label, () => {
        const next = made.getAttribute('aria-pressed') !== 'true';
        press(made, next);
        change(next);
    });
    press(made, isOn);
    return made;
}

export function press(button: HTMLElement, isOn: boolean): void {
    button.setAttribute('aria-pressed', String(isOn));
}

/** A button with a label. */
export function button(label: string, act: () => void, kind: 'primary' | 'secondary' | 'link' = 'secondary'): HTMLButtonElement {
    const made = element(`button.${kind}`, { type: 'button' }, label);
    made.addEventListener('click', act);
    return made;
}

/** A choice of one option, which keeps the selected option when others are added or removed. */
export class Choice {
    readonly element: HTMLSelectElement;
    private shown = '';

    constructor(label: string, choose: (value: string) => void) {
        this.element = element('select', { 'aria-label': label });
        this.element.addEventListener('change', () => choose(this.element.value));
    }

    get value(): string {
        return this.element.value;
    }

    /** Shows groups of options; groups without a name come first. */
    show(groups: { label?: string; options: { value: string; label: string }[] }[], value: string): void {
        const key = JSON.stringify([groups, value]);
        if (key === this.shown && this.element.value === value) {
            return;
        }
        this.shown = key;
        const nodes = groups.flatMap(({ label, options }) => {
            const made = options.map((it) => new Option(it.label, it.value, false, it.value === value));
            return label === undefined ? made : [element('optgroup', { label }, ...made)];
        });
        this.element.replaceChildren(...nodes);
    }
}
