/** The text as Markdown, the format that many models were trained on. */

import { MarkdownView } from '../markdown/markdown-view';
import type { TextView } from '../text/text-view';
import { element } from '../widgets/dom';
import { type TabContent, Tab } from './tab';

/**
 * The maximum length in characters; only the start of longer texts is shown, because parsing
 * Markdown takes longer than drawing text.
 */
const most = 1_000_000;

export class MarkdownTab extends Tab {
    readonly textViews: TextView[] = [];
    private readonly view = new MarkdownView();
    private readonly note = element('p.empty', { hidden: true }, 'The text is very long. Only the first million characters are shown as Markdown.');

    constructor() {
        super('markdown', 'Markdown', 'Text as Markdown');
        this.element.append(this.view.element, this.note);
    }

    override get mappedViews(): MarkdownView[] {
        return [this.view];
    }

    show({ preview: { text, map }, tints }: TabContent): number {
        this.note.hidden = text.length <= most;
        return this.view.show(text, map, most, (run) => tints.of(run));
    }
}
