/** Exports the text to the clipboard and into a file. */

import type { Preview } from '../host/protocol';
import { selectedText } from '../text/selected-text';
import type { TextView } from '../text/text-view';
import { element } from '../widgets/dom';
import { fileName } from '../widgets/words';

export interface CopyingActs {
    preview(): Preview | undefined;
    /** The texts whose selection is copied as it is sent. */
    textViews(): readonly TextView[];
    /** A function that lets the user choose where to save a text; `undefined` if the browser downloads it. */
    saveAs(): ((name: string, text: string) => void) | undefined;
    copied(): void;
}

export class Copying {
    constructor(private readonly acts: CopyingActs) {
        document.addEventListener('copy', (event) => copySelection(event, acts.textViews()));
    }

    /** Copies the whole text. */
    async copy(): Promise<void> {
        const preview = this.acts.preview();
        if (preview !== undefined) {
            await copy(preview.text);
            this.acts.copied();
        }
    }

    /** Saves the text as a file. */
    save(): void {
        const preview = this.acts.preview();
        if (preview !== undefined) {
            const saveAs = this.acts.saveAs() ?? download;
            saveAs(nameToSave(preview), preview.text);
        }
    }
}

async function copy(text: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // Not every browser allows pages to write to the clipboard, but all allow it in a copy
        // event.
        const write = (event: ClipboardEvent) => {
            event.clipboardData?.setData('text/plain', text);
            event.preventDefault();
        };
        document.addEventListener('copy', write, { capture: true, once: true });
        document.execCommand('copy');
        document.removeEventListener('copy', write, { capture: true });
    }
}

/** Copies the selection as it is sent, including parts that are not drawn. */
function copySelection(event: ClipboardEvent, textViews: readonly TextView[]): void {
    const near = document.activeElement;
    const isField = near instanceof HTMLTextAreaElement || near instanceof HTMLInputElement;
    const text = isField ? undefined : selectedText(textViews);
    if (text !== undefined) {
        event.clipboardData?.setData('text/plain', text);
        event.preventDefault();
    }
}

/** The file name for the text of a preview. */
function nameToSave({ uri, task, case: name }: Preview): string {
    const stem = fileName(uri).replace(/\.(prompt|txt|md|json)$/, '');
    return `${[stem, task, name].filter(Boolean).join('.')}.resolved.txt`;
}

/** Downloads a text; the browser determines the folder, or lets the user choose it. */
function download(name: string, text: string): void {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
