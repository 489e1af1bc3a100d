/** Starts the page. */

import { App } from './app';
import { pickHost } from './host/pick';

const root = document.getElementById('app');
if (root !== null) {
    new App(root, pickHost());
}
