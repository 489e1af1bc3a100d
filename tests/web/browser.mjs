// A headless browser.
import { chromium } from 'playwright-core';

const { PROMPTLS_CHROMIUM } = process.env;

export function browser() {
    return chromium.launch({
        executablePath: PROMPTLS_CHROMIUM,
        headless: true,
        args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
        ],
    });
}
