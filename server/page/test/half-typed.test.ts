import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { HalfTyped, rest } from '../src/host/half-typed';
import type { Preview, Run } from '../src/host/protocol';

/** A preview with names that have no values. */
function preview(missing: string[], more: Partial<Preview> = {}): Preview {
    const map = missing.map((path) => ({ kind: 'missing', path }) as Run);
    return { uri: 'file:///p', case: 'a', map, ...more } as Preview;
}

function check(name: string, told: (take: (next: Preview) => void, drawn: Preview[], wait: (time: number) => void) => void): void {
    test(name, () => {
        mock.timers.enable({ apis: ['setTimeout'] });
        const drawn: Preview[] = [];
        const half = new HalfTyped((it) => drawn.push(it));
        told((next) => half.take(next, drawn.at(-1)), drawn, (time) => mock.timers.tick(time));
        mock.timers.reset();
    });
}

check('names on the way to one that has a value are not drawn', (take, drawn, wait) => {
    const [before, after] = [preview([]), preview([])];
    take(before);
    for (const name of ['n', 'na', 'nam']) {
        take(preview([name]));
        wait(rest - 1);
    }
    take(after);
    wait(rest);
    assert.deepEqual(drawn, [before, after]);
});

check('a name without a value is drawn once the typing rests', (take, drawn, wait) => {
    take(preview(['old']));
    const next = preview(['old', 'new']);
    take(next);
    wait(rest);
    assert.equal(drawn.at(-1), next);
});

check('what was missing before holds nothing up', (take, drawn) => {
    take(preview(['old', 'other']));
    const next = preview(['other']);
    take(next);
    assert.equal(drawn.at(-1), next);
});

check('another case or another prompt is drawn at once', (take, drawn) => {
    take(preview([]));
    for (const other of [preview(['x'], { case: 'b' }), preview(['y'], { uri: 'file:///q' })]) {
        take(other);
        assert.equal(drawn.at(-1), other);
    }
});
