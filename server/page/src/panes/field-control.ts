/** The controls for editing values. */

import type { Field } from '../host/protocol';
import { element, setAttribute } from '../widgets/dom';

/** A control for one kind of value. */
export interface Control {
    readonly element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
    /** Whether it already contains that value. */
    holds(value: unknown): boolean;
    set(value: unknown): void;
    setOptions(field: Field): void;
    setReadOnly(isReadOnly: boolean): void;
}

export type Kind = 'text' | 'number' | 'choice' | 'json';

/** The control for a field, by its type; a value of another type can still be edited. */
export function kindOf({ type, options, value }: Field): Kind {
    if (options !== undefined || (type === 'boolean' && (value === undefined || typeof value === 'boolean'))) {
        return 'choice';
    }
    if (type === 'text' || type === 'any') {
        return value === undefined || typeof value === 'string' ? 'text' : 'json';
    }
    if (type === 'integer' || type === 'number') {
        return value === undefined || typeof value === 'number' ? 'number' : 'json';
    }
    return 'json';
}

type Edited = (value: unknown) => void;
type Refuse = (message: string) => void;

export function controlFor(kind: Kind, field: Field, edited: Edited, refuse: Refuse): Control {
    switch (kind) {
        case 'text':
            return new TextControl(edited);
        case 'number':
            return new NumberControl(field.type === 'integer', edited, refuse);
        case 'choice':
            return new ChoiceControl(edited);
        case 'json':
            return new JsonControl(field.type, edited, refuse);
    }
}

/**
 * Replaces the text, and keeps the caret. If all of it was selected, or it was empty, all of the
 * new text is selected, so that typing replaces it even if the text changes meanwhile.
 */
function replaceText(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
    const { selectionStart, selectionEnd } = field;
    const isAllSelected = selectionStart === 0 && selectionEnd === field.value.length;
    field.value = text;
    if (document.activeElement === field) {
        const end = isAllSelected ? text.length : Math.min(selectionEnd ?? 0, text.length);
        field.setSelectionRange(Math.min(selectionStart ?? 0, text.length), end);
    }
}

abstract class AreaControl {
    readonly element = element('textarea', { rows: 1, spellcheck: 'false', autocomplete: 'off' });

    constructor() {
        this.element.addEventListener('input', () => {
            this.grow();
            this.typed(this.element.value);
        });
        // Its height is known once it is on the page, and changes with its width.
        new ResizeObserver(() => this.grow()).observe(this.element);
    }

    protected abstract typed(text: string): void;

    protected put(text: string): void {
        replaceText(this.element, text);
        this.grow();
    }

    /** Fits the height to the text. */
    private grow(): void {
        const { element: area } = this;
        if (CSS.supports('field-sizing', 'content') || !area.isConnected) {
            return;
        }
        area.style.setProperty('height', 'auto');
        area.style.setProperty('height', `${area.scrollHeight + 2}px`);
    }

    setOptions(): void {}

    setReadOnly(isReadOnly: boolean): void {
        this.element.readOnly = isReadOnly;
    }
}

class TextControl extends AreaControl implements Control {
    /**
     * A textarea has only one kind of line end; for other kinds, they are converted when the text
     * is sent.
     */
    private lineEnd = '\n';

    constructor(private readonly edited: Edited) {
        super();
        // Each paragraph has the direction of its words, as in the text.
        this.element.dir = 'auto';
    }

    protected override typed(text: string): void {
        this.edited(this.lineEnd === '\n' ? text : text.replaceAll('\n', this.lineEnd));
    }

    holds(value: unknown): boolean {
        return this.element.value === (typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : '');
    }

    set(value: unknown): void {
        const text = typeof value === 'string' ? value : '';
        this.lineEnd = /\r\n/.test(text) ? '\r\n' : '\n';
        this.put(text);
    }
}

class JsonControl extends AreaControl implements Control {
    constructor(
        private readonly type: Field['type'],
        private readonly edited: Edited,
        private readonly refuse: Refuse,
    ) {
        super();
        this.element.classList.add('json');
    }

    protected override typed(text: string): void {
        const read = readJson(text, this.type);
        if ('invalid' in read) {
            this.refuse(read.invalid);
        } else {
            this.edited(read.value);
        }
    }

    holds(value: unknown): boolean {
        const text = this.element.value;
        if (value === undefined) {
            return text === '';
        }
        try {
            return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
        } catch {
            return false;
        }
    }

    set(value: unknown): void {
        this.put(value === undefined ? '' : laidOut(value));
    }
}

/** Formatted JSON: short values are on one line. */
export function laidOut(value: unknown): string {
    const short = JSON.stringify(value);
    return short.length <= 48 ? short : JSON.stringify(value, null, 2);
}

/** Parses a value of a type; returns an error message for invalid text. */
export function readJson(text: string, type: Field['type']): { value: unknown } | { invalid: string } {
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch (error) {
        return { invalid: text.trim() === '' ? 'Type a JSON value' : `Not sent, not valid JSON: ${reason(error, text)}` };
    }
    if (type === 'list' && !Array.isArray(value)) {
        return { invalid: 'Not sent: expected a list, as ["a", "b"]' };
    }
    if (type === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
        return { invalid: 'Not sent: expected an object, as {"a": 1}' };
    }
    return { value };
}

/** The browser's error message, with a line instead of an offset. */
function reason(error: unknown, text: string): string {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    const short = message.replace(/^JSON\.parse: /, '').replace(/,? ?(in JSON )?at position \d+.*$/s, '').replace(/, "[\s\S]*$/, '');
    if (at === undefined) {
        return short || 'it ends too early';
    }
    const before = text.slice(0, Number(at)).split('\n');
    return `${short} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** A number, or the reason why a text is none. */
export function readNumber(text: string, isInteger: boolean): { value: number } | { invalid: string } {
    const trimmed = text.trim();
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) {
        return { invalid: 'Not sent: not a number' };
    }
    const value = Number(trimmed);
    if (isInteger && !Number.isInteger(value)) {
        return { invalid: 'Not sent: expected an integer' };
    }
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        return { invalid: 'Not sent: edit numbers with this many digits in the file' };
    }
    return { value };
}

class NumberControl implements Control {
    readonly element = element('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off' });

    constructor(isInteger: boolean, edited: Edited, refuse: Refuse) {
        this.element.addEventListener('input', () => {
            const read = readNumber(this.element.value, isInteger);
            if ('invalid' in read) {
                refuse(read.invalid);
            } else {
                edited(read.value);
            }
        });
    }

    holds(value: unknown): boolean {
        const text = this.element.value.trim();
        return value === undefined ? text === '' : text !== '' && Number(text) === value;
    }

    set(value: unknown): void {
        replaceText(this.element, value === undefined ? '' : String(value));
    }

    setOptions(): void {}

    setReadOnly(isReadOnly: boolean): void {
        this.element.readOnly = isReadOnly;
    }
}

/** A choice of values, or none. */
class ChoiceControl implements Control {
    readonly element = element('select');
    private shown = '';

    constructor(edited: Edited) {
        this.element.addEventListener('change', () => {
            const { value } = this.element;
            edited(value === '' ? undefined : JSON.parse(value));
        });
    }

    setOptions({ options, value, type }: Field): void {
        const all = options ?? (type === 'boolean' ? [true, false] : []);
        const keys = all.map((it) => JSON.stringify(it));
        const current = value === undefined ? '' : JSON.stringify(value);
        const key = JSON.stringify([keys, current]);
        if (key === this.shown) {
            return;
        }
        this.shown = key;
        const chosen = this.element.value;
        const made = [new Option('(not set)', ''), ...keys.map((it, index) => new Option(nameOf(all[index]), it))];
        if (current !== '' && !keys.includes(current)) {
            made.push(new Option(`${nameOf(value)} (not allowed)`, current));
        }
        this.element.replaceChildren(...made);
        this.element.value = chosen;
    }

    holds(value: unknown): boolean {
        return this.element.value === (value === undefined ? '' : JSON.stringify(value));
    }

    set(value: unknown): void {
        this.element.value = value === undefined ? '' : JSON.stringify(value);
    }

    setReadOnly(isReadOnly: boolean): void {
        setAttribute(this.element, 'disabled', isReadOnly);
    }
}

function nameOf(value: unknown): string {
    return typeof value === 'string' ? value || '(empty)' : JSON.stringify(value);
}
