/** The list of keyboard shortcuts. */

import { iconButton } from '../widgets/controls';
import { element } from '../widgets/dom';

const keys: [keys: string[], what: string][] = [
    [['N', 'Shift+N'], 'To the next or previous value; in a comparison, change'],
    [['Enter'], 'From a value to its placeholder in the prompt'],
    [['Alt+Enter'], 'From a value to its source line'],
    [['1', '…', '5'], 'Text, Markdown, Messages, Cases, Compare'],
    [['W'], 'Show white space'],
    [['C'], 'Copy the text'],
    [['I'], 'To the inputs'],
    [['P'], 'To the problems'],
    [['Escape'], 'Back to the text; in a field, undo an invalid value'],
    [['?'], 'These keys'],
];

const mouse: [string[], string][] = [
    [['Click'], 'on a value: to its placeholder'],
    [['Alt+Click', 'Ctrl+Click'], 'on a value: to its source line'],
    [['Double click'], 'on other text: to its place in the prompt'],
];

export class Help {
    readonly element: HTMLDialogElement;

    constructor() {
        const close = iconButton('close', 'Close', () => this.element.close());
        const row = ([names, what]: [string[], string]) =>
            element('div.help-row', {}, element('dt', {}, ...names.map((it) => element('kbd', {}, it))), element('dd', {}, what));
        const head = element('div.help-head', {}, element('h2', { id: 'help-title' }, 'Keys'), close);
        const list = element('dl', {}, ...[...keys, ...mouse].map(row));
        const note = element('p', {}, 'Keys of one letter work only while the text has the focus.');
        this.element = element('dialog.help', { 'aria-labelledby': 'help-title' }, head, list, note);
    }

    open(): void {
        this.element.showModal();
    }
}
