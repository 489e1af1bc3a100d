/** Notices above the text. */

import type { EngineError } from '../host/protocol';
import { button } from '../widgets/controls';
import { element, setText } from '../widgets/dom';
import { errorText } from '../widgets/words';

export class Notices {
    readonly element: HTMLElement;
    private readonly error = element('div.notice.error', { role: 'alert', id: 'error', hidden: true });
    private readonly lost = element('div.notice.warning', { role: 'status', id: 'lost', hidden: true });
    private readonly stale = element('div.notice.info', { role: 'status', id: 'stale', hidden: true });
    private readonly unsaved = element('div.notice.unsaved', { id: 'unsaved', hidden: true });
    private edited: readonly { name: string }[] = [];
    private savesHere = false;
    private readonly files = element('span.unsaved-files', { role: 'status' });

    constructor(acts: { undo(): void; save(): void }) {
        const buttons = element('span.notice-buttons', {}, button('Undo', () => acts.undo()), button('Save', () => acts.save(), 'primary'));
        this.unsaved.append(this.files, buttons);
        this.element = element('div.notices', {}, this.lost, this.unsaved, this.error, this.stale);
    }

    /** The engine's error, because of which the text is not sent. */
    showError(error: EngineError | null): void {
        setNotice(this.error, error === null ? undefined : errorText(error));
    }

    showStale(reason: string | null): void {
        setNotice(this.stale, reason === null ? undefined : `This text is stale. ${reason}`);
    }

    showLost(message: string | null): void {
        setNotice(this.lost, message ?? undefined);
    }

    /** Files with unsaved edits of this page. */
    showUnsaved(files: readonly { name: string }[]): void {
        this.edited = files;
        this.drawUnsaved();
    }

    /** Whether edits are saved and reverted here, not in an editor. */
    set canSave(canSave: boolean) {
        this.savesHere = canSave;
        this.drawUnsaved();
    }

    private drawUnsaved(): void {
        const names = this.savesHere ? this.edited.map((it) => it.name).join(', ') : '';
        this.unsaved.hidden = names === '';
        setText(this.files, names && `Not saved: ${names}`);
    }
}

function setNotice(box: HTMLElement, message: string | undefined): void {
    box.hidden = message === undefined;
    setText(box, message ?? '');
}
