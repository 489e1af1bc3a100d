/** Starts the page. */

import { App } from './app';
import { pickHost } from './host/pick';
import { followThemeOfBrowser } from './host/theme-kind';

followThemeOfBrowser(document.body);
const root = document.getElementById('app');
if (root !== null) {
    new App(root, pickHost());
}
