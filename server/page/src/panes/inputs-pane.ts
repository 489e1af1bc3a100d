/** The inputs of the current case, as a form. */

import { CoalescedRequest } from '../host/coalesced-request';
import type { Field, InputsForm, Location } from '../host/protocol';
import { button } from '../widgets/controls';
import { element, setChildren, setText } from '../widgets/dom';
import { fileName } from '../widgets/words';
import { EditQueue, type InputEdit } from './edit-queue';
import { FieldEditor, isMissed } from './field-editor';
import type { Pane } from './pane';

/** The actions that the page provides. */
export interface InputsActs {
    request(): Promise<InputsForm | null>;
    /** Writes a value of a case; `undefined` removes it. */
    set(keys: string[], value: unknown, name: string | null): Promise<unknown>;
    go(location: Location): void;
    create(): void;
    /** Reports an error. */
    complain(message: string): void;
}

export class InputsPane {
    private readonly none = element('div.empty', { hidden: true });
    private readonly file = element('p.inputs-file', { hidden: true });
    private readonly fields = element('div.fields');
    private readonly unused = element('div.fields');
    private readonly rest = element('details.unused', {}, element('summary', {}, 'Not used by the prompt'), this.unused);
    private editors = new Map<string, FieldEditor>();
    private form: InputsForm | null = null;
    private readonly request: CoalescedRequest<null, InputsForm | null>;
    private readonly edits: EditQueue;
    private shownCase: string | null = null;
    canEdit = false;

    constructor(
        readonly pane: Pane,
        private readonly acts: InputsActs,
    ) {
        pane.body.append(this.none, this.file, this.fields, this.rest);
        this.rest.hidden = true;
        // Values that were filled in move to their place once the focus leaves the form.
        this.fields.addEventListener('focusout', ({ relatedTarget }) => {
            if (!this.fields.contains(relatedTarget as Node | null)) {
                queueMicrotask(() => this.show(this.form));
            }
        });
        this.request = new CoalescedRequest(
            () => acts.request(),
            (form) => this.show(form),
            ({ message }) => this.fail(message),
        );
        this.edits = new EditQueue({
            send: ({ keys, value, name }) => acts.set(keys, value, name),
            refused: (edit, reason) => this.refused(edit, reason),
            done: () => {
                // A form that was requested earlier may not contain the edits.
                this.request.cancel();
                this.refresh();
            },
        });
    }

    refresh(): void {
        if (this.pane.isShown) {
            this.request.send(null);
        }
    }

    /** Clears the form for another prompt. */
    forget(): void {
        this.request.cancel();
        this.editors.clear();
        this.show(null);
    }

    private fail(message: string): void {
        this.none.hidden = false;
        setText(this.none, message);
    }

    private refused({ keys, name }: InputEdit, reason: string): void {
        const editor = name === this.shownCase ? this.editors.get(keyOf({ keys })) : undefined;
        if (editor !== undefined) {
            editor.refused(reason);
        } else {
            this.acts.complain(`${keys.join('.')} was not changed: ${reason}`);
        }
    }

    private show(form: InputsForm | null): void {
        this.form = form;
        const name = form?.case ?? null;
        if (name !== this.shownCase && this.shownCase !== null) {
            // Fields of another case are new fields, even with the same names. The first case may
            // arrive while the user is already typing.
            this.editors.clear();
        }
        this.shownCase = name;
        const used = this.inOrder(form?.fields.filter((it) => it.used) ?? []);
        const unused = form?.fields.filter((it) => !it.used) ?? [];
        const editors = new Map<string, FieldEditor>();
        const shared = { canEdit: this.canEdit, uri: form?.uri ?? null };
        const editor = (field: Field) => {
            const key = keyOf(field);
            const known = this.editors.get(key);
            const made = known ?? new FieldEditor(field, shared, this.fieldActs());
            known?.show(field, shared);
            editors.set(key, made);
            return made.element;
        };
        setChildren(this.fields, used.map(editor));
        setChildren(this.unused, unused.map(editor));
        this.editors = editors;
        this.rest.hidden = unused.length === 0;
        this.showNone(form);
        this.file.hidden = !form?.uri;
        if (form?.uri) {
            setText(this.file, fileName(form.uri));
        }
        const missing = used.filter(isMissed).length;
        this.pane.showNote(missing > 0 ? `${missing} missing` : '');
    }

    /** Missing values come first. While a field has the focus, the order stays. */
    private inOrder(fields: Field[]): Field[] {
        if (!this.fields.contains(document.activeElement)) {
            return fields.toSorted((a, b) => Number(isMissed(b)) - Number(isMissed(a)));
        }
        const places = new Map([...this.editors.keys()].map((key, index) => [key, index]));
        const placeOf = (field: Field) => places.get(keyOf(field)) ?? Infinity;
        return fields.toSorted((a, b) => Math.sign(placeOf(a) - placeOf(b)) || 0);
    }

    private showNone(form: InputsForm | null): void {
        const hasFile = form?.uri != null;
        const hasFields = (form?.fields.length ?? 0) > 0;
        this.none.hidden = form === null || hasFile;
        if (form === null || hasFile) {
            return;
        }
        const words = hasFields ? 'There is no inputs file yet.' : 'The prompt reads no inputs.';
        const create = hasFields && this.canEdit ? [button('Create inputs', () => this.acts.create(), 'primary')] : [];
        if (this.none.firstChild?.textContent !== words || this.none.childElementCount !== 1 + create.length) {
            this.none.replaceChildren(element('p', {}, words), ...create);
        }
    }

    private fieldActs() {
        return {
            set: (keys: string[], value: unknown) => this.edits.add({ keys, value, name: this.shownCase }),
            isBusy: (keys: string[]) => this.edits.isBusy({ keys, name: this.shownCase }),
            go: (location: Location) => this.acts.go(location),
        };
    }
}

function keyOf({ keys }: Pick<Field, 'keys'>): string {
    return JSON.stringify(keys);
}
