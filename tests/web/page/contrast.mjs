// The contrast of the texts and controls of the page with their background.

/** The minimum contrast by WCAG 2.1, level AA: for text that is not large, and for graphics. */
const least = { text: 4.5, picture: 3 };

/**
 * Pairs of colours that a theme declares for each other. The theme is responsible for these, the
 * page for all others: colours from different pairs, and a theme colour with a fallback.
 */
const pairs = [
    ['editor-foreground', 'editor-background'],
    ['button-foreground', 'button-background'],
    ['button-foreground', 'button-hoverBackground'],
    ['button-secondaryForeground', 'button-secondaryBackground'],
    ['button-secondaryForeground', 'button-secondaryHoverBackground'],
    ['input-foreground', 'input-background'],
    ['dropdown-foreground', 'dropdown-background'],
    ['editorHoverWidget-foreground', 'editorHoverWidget-background'],
];

/** The states of controls, as attributes that simulate them. */
const states = {
    normal: [],
    hovered: [['data-hovered', '']],
    selected: [['aria-selected', 'true'], ['aria-pressed', 'true']],
    'selected and hovered': [['data-hovered', ''], ['aria-selected', 'true'], ['aria-pressed', 'true']],
};

/** The contrast of the texts and controls of a page, including hidden ones, in each state. */
export async function contrasts(body) {
    const measured = await body.evaluate(measure, { states, pairs });
    return measured.map((it) => ({ ...it, isFaint: !it.isOfTheme && it.ratio < least[it.kind] }));
}

/** Runs in the page. */
function measure(body, { states, pairs }) {
    const page = body.ownerDocument;
    const root = page.documentElement;

    // The pointer cannot be on all elements at once: an attribute simulates it.
    const sheet = new CSSStyleSheet();
    const rules = [...page.styleSheets].flatMap((it) => [...it.cssRules]);
    const hovered = rules.filter((it) => it.selectorText?.includes(':hover')).map((it) => it.cssText.replaceAll(':hover', '[data-hovered]'));
    sheet.replaceSync(hovered.join('\n'));
    page.adoptedStyleSheets = [sheet];

    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const known = new Map();
    /** Red, green and blue, and the opacity, all from 0 to 1. */
    const parsed = (colour) => {
        if (!known.has(colour)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data].map((it) => it / 255));
        }
        return known.get(colour);
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((it, index) => it * a + below[index] * (1 - a));
    const background = (node) => {
        const below = node === root ? [1, 1, 1] : background(node.parentElement);
        return over(parsed(getComputedStyle(node).backgroundColor), below);
    };
    const luminance = (colour) => {
        const [r, g, b] = colour.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
        const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (light + 0.05) / (dark + 0.05);
    };

    /** The nearest ancestor with a background. */
    const painted = (node) => {
        const colour = getComputedStyle(node).backgroundColor;
        return parsed(colour)[3] > 0 || node === root ? colour : painted(node.parentElement);
    };
    const key = (front, behind) => JSON.stringify([front, behind].map((it) => parsed(it).map((part) => Math.round(part * 255))));
    const variable = (name) => getComputedStyle(root).getPropertyValue(`--vscode-${name}`).trim();
    const declared = pairs.map((pair) => pair.map(variable)).filter((pair) => pair.every((it) => it !== ''));
    const ofTheme = new Set(declared.map((pair) => key(...pair)));

    const hasText = (node) => [...node.childNodes].some((it) => it.nodeType === Node.TEXT_NODE && it.data.trim() !== '');
    const isControl = (node) => node.matches('button, select, input, textarea, summary, .notice');
    const nodes = [...body.querySelectorAll('*')].filter((it) => !it.closest('script, style, svg, option, .visually-hidden') && (hasText(it) || isControl(it)));
    const measured = [];
    for (const [state, attributes] of Object.entries(states)) {
        const changed = attributes.flatMap(([name, value]) => {
            const on = name.startsWith('data-') ? [...body.querySelectorAll('*')] : [...body.querySelectorAll(`[${name}]`)];
            return on.map((node) => {
                const old = node.getAttribute(name);
                node.setAttribute(name, value);
                return () => (old === null ? node.removeAttribute(name) : node.setAttribute(name, old));
            });
        });
        for (const node of nodes) {
            const behind = background(node);
            const { color } = getComputedStyle(node);
            measured.push({
                name: [node.tagName.toLowerCase(), ...node.classList].join('.'),
                kind: node.matches('.icon-button') ? 'picture' : 'text',
                text: node.textContent.trim().slice(0, 30),
                ratio: contrast(over(parsed(color), behind), behind),
                isOfTheme: ofTheme.has(key(color, painted(node))),
                state,
            });
        }
        changed.forEach((undo) => undo());
    }
    page.adoptedStyleSheets = [];
    return measured;
}
