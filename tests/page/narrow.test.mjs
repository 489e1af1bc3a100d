// The page as a narrow panel next to an editor: no label is cut, and the parts of a row stay in it.
import assert from 'node:assert/strict';
import { story } from '../web/page/story.mjs';

const longName = 'context_of_the_customer_order';
const value = 'Where is my order, and when does it arrive? '.repeat(40);
const variable = (name, more) => ({ name, type: 'string', required: true, ...more });
const files = {
    'support.adk.prompt': `You are support of {app:company}.\n{${longName}}\n{limit}\n{notes?}\n{question}\n`,
    'support.adk.inputs.json': JSON.stringify({ 'app:company': 'Velo & Sons', limit: 5, question: value, unread_list_of_orders: ['a'] }),
    'support.adk.angry.inputs.json': JSON.stringify({ 'app:company': 'Velo & Sons', limit: 4, [longName]: 'none', question: 'WHY?' }),
    'support.adk.variables.json': JSON.stringify({
        variables: [variable(longName), variable('limit', { type: 'integer' }), variable('question', { description: 'What the customer asks' })],
    }),
};

/** Rows of the page, whose parts are side by side. */
const rows = ['.field-head', '.totals', '.part', '.counting', '.pane-heading', '.column-head', '.case-bar', '.actions', '.compare-acts', '.tabs'];

for (const width of [300, 360, 420]) {
    story(`at ${width} pixels, rows are rows and nothing is cut`, files, async (it) => {
        await it.page.getByRole('button', { name: 'Inputs, size and problems' }).click();
        await it.pane('size').getByText('Tokens', { exact: true }).waitFor();
        await it.field(longName).waitFor();
        for (const view of ['text', 'messages', 'cases', 'compare']) {
            await it.show(view);
            await it.page.locator(`#${view}-panel`).waitFor();
            assert.deepEqual(await it.page.locator('body').evaluate(broken, rows), { below: [], cut: [] }, view);
            await it.picture(`narrow-${width}-${view}`);
        }
    }, { panel: true, viewport: { width, height: 900 } });
}

/**
 * Runs in the page: the parts below their row's first part, and those too narrow for their words.
 */
function broken(body, rows) {
    const isShown = (node) => node.checkVisibility() && node.getBoundingClientRect().width > 0;
    const name = (node) => `${[node.tagName.toLowerCase(), ...node.classList].join('.')} “${node.textContent.trim().slice(0, 40)}”`;
    const below = [...body.querySelectorAll(rows.join())].filter(isShown).flatMap((row) => {
        const [first, ...others] = [...row.children].filter(isShown);
        const bottom = first?.getBoundingClientRect().bottom;
        return others.filter((it) => !it.matches('.bar') && it.getBoundingClientRect().top >= bottom).map(name);
    });
    const labels = body.querySelectorAll('.side :is(label, button, dt, dd, span, li, p, select), .toolbar *, .footer *, .compare-bar *, .column-head *, .role');
    const cut = [...labels].filter((it) => isShown(it) && !it.closest('svg, option, select.case, .visually-hidden')).filter((it) => {
        const { left, right } = it.getBoundingClientRect();
        const room = body.getBoundingClientRect();
        return it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== 'inline' || right > room.right + 1 || left < room.left - 1;
    });
    return { below, cut: cut.map(name) };
}
