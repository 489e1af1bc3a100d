/** Creates elements. Strings become text or attributes, never markup. */

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | undefined;

/**
 * An element: `element('button.quiet', { type: 'button' }, 'Save')`. Attributes with the value
 * `false` are omitted.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
    what: K | `${K}.${string}`,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const [tag, ...classes] = what.split('.') as [K, ...string[]];
    const made = document.createElement(tag);
    if (classes.length > 0) {
        made.className = classes.join(' ');
    }
    for (const [name, value] of Object.entries(attributes)) {
        setAttribute(made, name, value);
    }
    made.append(...children.filter((it) => it !== undefined));
    return made;
}

/** Sets or removes an attribute. */
export function setAttribute(on: Element, name: string, value: string | number | boolean | undefined): void {
    if (value === undefined || value === false) {
        on.removeAttribute(name);
    } else {
        on.setAttribute(name, value === true ? '' : String(value));
    }
}

/** Sets a text; does not touch the node if it is unchanged. */
export function setText(on: Element, text: string): void {
    if (on.textContent !== text) {
        on.textContent = text;
    }
}

/** Replaces the children of an element, moving and removing no more than needed. */
export function setChildren(parent: Element, children: readonly Node[]): void {
    const kept = new Set(children);
    for (const child of [...parent.childNodes]) {
        if (!kept.has(child)) {
            child.remove();
        }
    }
    let at = parent.firstChild;
    for (const child of children) {
        if (child === at) {
            at = at.nextSibling;
        } else {
            parent.insertBefore(child, at);
        }
    }
}

/** A unique id for an element. */
export function newId(): string {
    return `id${++ids}`;
}
let ids = 0;
