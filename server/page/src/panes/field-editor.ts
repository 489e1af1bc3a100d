/**
 * An editor for one value of the inputs.
 *
 * Text is never replaced while the user types. The value of the file waits while the field has the
 * focus and differs from it, and while an edit is pending or has failed.
 */

import type { Field, Location } from '../host/protocol';
import { shortText } from '../text/draw-text';
import { flagged } from '../text/invisible-characters';
import { button, iconButton } from '../widgets/controls';
import { element, newId, setAttribute, setChildren, setText } from '../widgets/dom';
import { fileName, locationName } from '../widgets/words';
import { type Control, controlFor, kindOf } from './field-control';

/** Properties shared by all fields. */
export interface FormOfField {
    canEdit: boolean;
    /** The inputs file. */
    uri: string | null;
}

/** The actions of a field. */
export interface FieldActs {
    /** Sets a value; `undefined` removes it. */
    set(keys: string[], value: unknown): void;
    isBusy(keys: string[]): boolean;
    go(location: Location): void;
}

export class FieldEditor {
    readonly element: HTMLElement;
    private readonly id = newId();
    private readonly label = element('label.field-name', { for: this.id });
    private readonly type = element('span.field-type');
    private readonly buttons = element('span.field-buttons');
    private readonly description = element('p.field-description', { id: `${this.id}-about` });
    private readonly place = element('div.field-control');
    private readonly invalid = element('p.field-invalid', { id: `${this.id}-invalid`, role: 'alert', hidden: true });
    private readonly notes = element('ul.field-notes', { id: `${this.id}-notes` });
    private readonly from = element('div.field-from');
    private control: Control | undefined;
    private kind = '';
    private field: Field;

    constructor(
        field: Field,
        private form: FormOfField,
        private readonly acts: FieldActs,
    ) {
        this.field = field;
        const head = element('div.field-head', {}, this.label, this.type, this.from, this.buttons);
        this.element = element('div.field', { role: 'group', 'aria-label': field.path }, head, this.description, this.place, this.invalid, this.notes);
        this.element.addEventListener('focusout', () => queueMicrotask(() => this.settle()));
        this.show(field, form);
    }

    /** Updates the editor with the values in the files. */
    show(field: Field, form: FormOfField): void {
        this.field = field;
        this.form = form;
        this.showControl();
        this.showAround();
    }

    private showControl(): void {
        const { field } = this;
        const kind = kindOf(field);
        const isFocused = this.place.contains(document.activeElement);
        if (this.control === undefined || (kind !== this.kind && !isFocused)) {
            this.kind = kind;
            this.control = controlFor(kind, field, (value) => this.edited(value), (message) => this.refuse(message));
            this.control.element.id = this.id;
            this.control.element.addEventListener('keydown', (event) => this.key(event as KeyboardEvent));
            this.place.replaceChildren(this.control.element);
        }
        this.control.setOptions(field);
        const isTheirs = !this.invalid.hidden || (isFocused && this.isEdited) || this.acts.isBusy(field.keys);
        if (this.control.holds(field.value)) {
            this.refuse(null);
        } else if (!isTheirs) {
            this.control.set(field.value);
            this.isEdited = false;
        }
        this.control.setReadOnly(!this.form.canEdit);
    }

    /** Whether the user has edited the field since it last contained the file's value. */
    private isEdited = false;

    private edited(value: unknown): void {
        this.isEdited = true;
        this.refuse(null);
        this.acts.set(this.field.keys, value);
    }

    /** Shows that an edit could not be sent. */
    refused(reason: string): void {
        this.refuse(`Not sent: ${reason}`);
    }

    private refuse(message: string | null): void {
        if (message !== null) {
            this.isEdited = true;
        }
        this.invalid.hidden = message === null;
        setText(this.invalid, message ?? '');
        setAttribute(this.control?.element ?? this.place, 'aria-invalid', message !== null);
    }

    private key(event: KeyboardEvent): void {
        if (event.key === 'Escape' && !this.invalid.hidden) {
            this.control?.set(this.field.value);
            this.isEdited = false;
            this.refuse(null);
        }
    }

    /** After the focus leaves, shows the file's value, unless the field contains invalid text. */
    private settle(): void {
        if (!this.place.contains(document.activeElement) && this.invalid.hidden) {
            this.isEdited = false;
            this.showControl();
        }
    }

    private showAround(): void {
        const { field } = this;
        setText(this.label, field.path);
        setText(this.type, [typeName(field), field.required ? 'required' : ''].filter(Boolean).join(', '));
        this.description.hidden = !field.description;
        setText(this.description, field.description ?? '');
        this.element.classList.toggle('missing', isMissed(field));

        const problems = field.problems.map((it) => element(`li.${it.severity}`, {}, shortText(it.message)));
        const rules = field.rules.map((it) => element('li.rule', {}, shortText(it)));
        const hidden = unseenIn(field.value);
        setChildren(this.notes, [...problems, ...(hidden ? [element('li.warning', {}, hidden)] : []), ...rules]);
        this.notes.hidden = this.notes.childElementCount === 0;
        const describes = [this.description, this.invalid, this.notes].filter((it) => !it.hidden || it === this.invalid).map((it) => it.id);
        setAttribute(this.control?.element ?? this.place, 'aria-describedby', describes.join(' '));

        this.showFrom();
        this.showButtons();
    }

    private showFrom(): void {
        const { from, location, path } = this.field;
        const words = { inputs: '', default: 'default', file: '', runtime: 'supplied at run time', missing: 'no value' }[from];
        const place = location && (words || this.shortPlace(location));
        // Replaced only on a change, so that a focused link stays.
        const key = `${words}\n${location ? locationName(location) : ''}`;
        if (this.from.dataset['shown'] === key) {
            return;
        }
        this.from.dataset['shown'] = key;
        if (location && place) {
            const link = button(place, () => this.field.location && this.acts.go(this.field.location), 'link');
            link.setAttribute('aria-label', `${place}: ${path} in ${fileName(location.uri)}`);
            link.dataset['tip'] = `Open ${locationName(location)}`;
            this.from.replaceChildren(link);
        } else {
            this.from.replaceChildren(words);
        }
    }

    private shortPlace(location: Location): string {
        const isHere = location.uri === this.form.uri;
        return isHere ? `line ${location.range.start.line + 1}` : this.field.from === 'file' ? fileName(location.uri) : locationName(location);
    }

    private showButtons(): void {
        const { keys, from, path } = this.field;
        const offered = !this.form.canEdit ? '' : from === 'inputs' || from === 'file' ? 'remove' : from === 'missing' || from === 'default' ? 'add' : '';
        if (this.buttons.dataset['has'] === offered) {
            return;
        }
        this.buttons.dataset['has'] = offered;
        const isFocused = this.buttons.contains(document.activeElement);
        if (offered === '') {
            this.buttons.replaceChildren();
        } else if (offered === 'remove') {
            this.buttons.replaceChildren(iconButton('remove', `Remove ${path}`, () => this.acts.set(keys, undefined)));
        } else {
            const add = iconButton('add', `Add ${path}`, () => this.add());
            // Not reachable by Tab: keyboard users type a value instead, and Tab moves between
            // missing values.
            add.tabIndex = -1;
            this.buttons.replaceChildren(add);
        }
        if (isFocused) {
            (this.buttons.querySelector('button') ?? this.control?.element)?.focus();
        }
    }

    private add(): void {
        const { type, options, value, keys } = this.field;
        const empty = { text: '', integer: 0, number: 0, boolean: false, list: [], object: {}, any: '' }[type];
        this.acts.set(keys, value ?? options?.[0] ?? empty);
        this.control?.element.focus();
    }
}

/** Whether a required value is missing. */
export function isMissed({ from, required, problems }: Field): boolean {
    return from === 'missing' && (required || problems.some((it) => it.severity === 'error'));
}

/** The name of the type, unless it is the default one. */
function typeName({ type }: Field): string {
    return type === 'any' || type === 'text' ? '' : type;
}

/** The invisible characters in a value. */
function unseenIn(value: unknown): string | undefined {
    const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    const found = flagged(text);
    const labels = [...new Set(found.map((it) => it.label))];
    return found.length === 0 ? undefined : `Contains invisible characters: ${labels.slice(0, 6).join(', ')}${labels.length > 6 ? ' …' : ''}`;
}
