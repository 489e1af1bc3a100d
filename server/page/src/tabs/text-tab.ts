/** The text as it is sent. */

import { keepScroll } from '../text/keep-scroll';
import { TextView } from '../text/text-view';
import { type TabContent, Tab } from './tab';

export class TextTab extends Tab {
    readonly view = new TextView(this.scroller);
    readonly textViews = [this.view];

    constructor() {
        super('text', 'Text', 'Resolved text');
        this.view.element.id = 'text';
        this.element.append(this.view.element);
    }

    show({ preview: { text, map }, tints, showsWhitespace, prefix }: TabContent): number {
        let drawn = 0;
        const tintOf = tints.of.bind(tints);
        keepScroll(this.scroller, this.textViews, () => {
            drawn = this.view.show({ text, map, range: [0, text.length], tintOf, showsWhitespace, prefix });
        });
        return drawn;
    }
}
