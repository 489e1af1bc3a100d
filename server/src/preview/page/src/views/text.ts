/** The text as it is sent. */

import { Flow } from '../flow';
import { keepingPlace } from '../place';
import { panelOf } from './panel';
import type { Model, View } from './view';

export class TextView implements View {
    readonly name = 'text';
    readonly label = 'Text';
    readonly icon = 'text';
    readonly element = panelOf('text', 'Resolved text');
    readonly scroller = this.element;
    readonly flow = new Flow(this.scroller);
    readonly flows = [this.flow];

    constructor() {
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
