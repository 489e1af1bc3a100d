import { element } from '../dom';
import type { ViewName } from '../remembered';

/** The panel of a tab; it scrolls, and can be scrolled by keys. */
export function panelOf(name: ViewName, label: string): HTMLElement {
    return element(`div.view.view-${name}`, { id: `view-${name}`, role: 'tabpanel', 'aria-label': label, tabindex: 0 });
}
