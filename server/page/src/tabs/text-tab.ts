/** The text as it is sent. */

import { Flow } from '../text/text-view';
import { keepingPlace } from '../text/keep-scroll';
import { type Model, View } from './tab';

export class TextView extends View {
    readonly flow = new Flow(this.scroller);
    readonly flows = [this.flow];

    constructor() {
        super('text', 'Text', 'Resolved text');
        this.flow.element.id = 'text';
        this.element.append(this.flow.element);
    }

    show({ preview: { text, map }, tints, showsWhitespace, prefix }: Model): number {
        let drawn = 0;
        const tintOf = tints.of.bind(tints);
        keepingPlace(this.scroller, this.flows, () => {
            drawn = this.flow.show({ text, map, range: [0, text.length], tintOf, showsWhitespace, prefix });
        });
        return drawn;
    }
}
