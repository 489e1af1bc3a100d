// The server of the page: several pages at once, and its end.
import assert from 'node:assert/strict';
import { letter } from '../web/page/letter.mjs';
import { otherPage, story } from '../web/page/story.mjs';
import { until } from '../web/until.mjs';

story('two pages at once show the same', letter, async (it, _, served) => {
    const other = await otherPage(served.url);
    await it.field('state').fill('lost');
    await other.waitForText('Dear Ada,\nyour order 7 is lost.\n');
    await until('its field says so, too', async () => (await other.field('state').inputValue()) === 'lost');
    await other.cases.selectOption('late');
    await it.waitForText('Dear Bob,\nyour order 8 is late.\n');
    await other.close();
});

story('a connection that is lost is said, and the last text stays', letter, async (it, _, served) => {
    await served.kill();
    await it.page.locator('#lost', { hasText: 'The connection to promptls is lost.' }).waitFor();
    assert.equal(await it.shownText(), 'Dear Ada,\nyour order 7 is paid.\n');
    // The browser itself logs that the connection fails.
    it.errors.length = 0;
});
