// A window of VS Code, with the actions of a user.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { patience, until } from '../until.mjs';

const { PROMPTLS_OUT } = process.env;

/** The timeout of a step that is repeated while it fails. */
const aTry = { timeout: 5000 };

export class Window {
    /** Opens the folder of `code`. */
    static async open(browser, code) {
        const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
        page.setDefaultTimeout(patience);
        await page.goto(`${code.url}?folder=${encodeURIComponent(code.folder.path)}`);
        await page.locator('.monaco-workbench .part.statusbar').waitFor();
        return new Window(page, code.folder.path);
    }

    constructor(page, folder) {
        this.page = page;
        this.folder = folder;
        this.keyboard = page.keyboard;
        this.squiggles = page.locator('.editor-instance .squiggly-error');
        this.anySquiggles = page.locator('.squiggly-error, .squiggly-warning, .squiggly-info');
        this.completions = page.locator('.suggest-widget.visible .monaco-list-row');
        this.hovers = page.locator('.monaco-hover:not(.hidden) .hover-contents');
        this.status = page.locator('.statusbar-item[id$="promptls.case"]');
        this.quickInput = page.locator('.quick-input-widget input').first();
        this.quickRows = page.locator('.quick-input-list .monaco-list-row');
        this.focusedRow = page.locator('.quick-input-list .monaco-list-row.focused');
        this.preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe');
        this.notifications = page.locator('.notifications-toasts .notification-list-item');
    }

    close() {
        return this.page.close();
    }

    /** Reloads like a user: the browser's own reload may lose unsaved state of VS Code. */
    async reload() {
        await Promise.all([this.page.waitForEvent('load'), this.run('Developer: Reload Window')]);
        await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    }

    /** Saves and closes everything, for the next story. */
    async tidyUp() {
        await this.saveAll();
        await this.closeAll();
        await this.run('Notifications: Clear All Notifications');
        if (await this.page.locator('.part.panel').isVisible()) {
            await this.keyboard.press('Control+J');
        }
        await this.page.mouse.move(0, 0);
    }

    /** Saves everything. A tab may stay dirty for a while after its file is written. */
    async saveAll() {
        await this.run('File: Save All Files');
        await until('all is saved', async () => (await this.page.locator('.tab.dirty').count()) === 0);
    }

    /**
     * Closes all editors, by keys: a page that takes the focus would close the list of commands.
     */
    async closeAll() {
        await until('all is closed', async () => {
            await this.keyboard.press('Control+K');
            await this.keyboard.press('Control+W');
            return (await this.page.locator('.tab').count()) === 0;
        });
    }

    /** Opens a file by its name and moves the cursor to its start. */
    async openFile(name) {
        await this.keyboard.press('Control+P');
        await this.quickInput.waitFor();
        // By its whole path: the list of files may still be that of the previous story.
        await this.quickInput.fill(path.join(this.folder, name));
        await this.focusedRow.filter({ hasText: path.basename(name) }).waitFor();
        await this.keyboard.press('Enter');
        await this.page.locator('.tab.active', { hasText: path.basename(name) }).waitFor();
        await this.page.locator('.editor-instance .view-lines').first().waitFor();
    }

    /** Moves the cursor to a line and a column, from 1. */
    async goTo(line, column = 1) {
        await this.keyboard.press('Control+G');
        await this.quickInput.waitFor();
        await this.quickInput.fill(`:${line}:${column}`);
        await this.keyboard.press('Enter');
        await this.quickInput.waitFor({ state: 'hidden' });
    }

    /** Moves the focus to the editors on the left, from anywhere. */
    async leaveSide() {
        await this.keyboard.press('Control+1');
        await this.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    }

    type(text) {
        return this.keyboard.type(text, { delay: 5 });
    }

    /** Runs a command from the palette, by the start of its title. */
    async run(title) {
        await this.keyboard.press('F1');
        await this.quickInput.waitFor();
        // While the previous command is still closing its list, typed text is lost.
        await until(`there is a command ${title}`, async () => {
            if (!(await this.quickInput.isVisible())) {
                await this.keyboard.press('F1');
            }
            // While extensions are loading, there are fewer commands; the list is updated when its
            // text changes.
            await this.quickInput.fill('>', aTry);
            await this.quickInput.fill(`>${title}`, aTry);
            return (await this.focusedRow.filter({ hasText: title }).count()) > 0;
        });
        await this.keyboard.press('Enter');
    }

    /** Opens the extension's walkthrough; returns its steps. */
    async openWalkthrough() {
        await this.run('Welcome: Open Walkthrough');
        await until('it is among the walkthroughs', async () => {
            await this.quickInput.fill('promptls', aTry);
            return (await this.focusedRow.filter({ hasText: 'Get Started with promptls' }).count()) > 0;
        });
        await this.keyboard.press('Enter');
        const steps = this.page.locator('.getting-started-step');
        await until('it has its steps', async () => (await steps.count()) === 5);
        return steps;
    }

    /** The visible lines of the editor of a file. */
    lines(name) {
        const editor = this.page.locator(`.editor-instance[aria-label*="${name}"], .editor-instance`).first();
        return editor.evaluate((node) =>
            [...node.querySelectorAll('.view-line')]
                .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
                .map((line) => line.textContent.replaceAll('\u00a0', ' ')),
        );
    }

    /** The line and column of the cursor, from the status bar. */
    async cursor() {
        const text = await this.page.locator('.statusbar-item[id="status.editor.selection"]').innerText();
        return /Ln (\d+), Col (\d+)/.exec(text)?.slice(1).map(Number);
    }

    /** The text of the hover at the cursor. */
    async hover() {
        await this.keyboard.press('Control+K');
        await this.keyboard.press('Control+I');
        await this.hovers.first().waitFor();
        return (await this.hovers.allInnerTexts()).join('\n');
    }

    /** Applies a quick fix at the cursor, by a word of its title. */
    async quickFix(title) {
        const row = this.page.locator('.action-widget .monaco-list-row').filter({ hasText: title }).first();
        // The list closes, or does not open, if the text is redrawn at that moment.
        await until(`there is an action ${title}`, async () => {
            if (!(await row.isVisible())) {
                await this.keyboard.press('Escape');
                await this.keyboard.press('Control+.');
            }
            await row.click(aTry);
            return true;
        });
    }

    /** Renames the name at the cursor. */
    async rename(name) {
        await this.keyboard.press('F2');
        const input = this.page.locator('.rename-box input');
        await input.waitFor();
        await input.fill(name);
        await this.keyboard.press('Enter');
    }

    async waitForSquiggles(count) {
        await until(`there are ${count} squiggles`, async () => (await this.squiggles.count()) === count);
    }

    /** Changes the theme. */
    async setTheme(name) {
        await this.keyboard.press('Control+K');
        await this.keyboard.press('Control+T');
        await this.quickInput.waitFor();
        await this.quickInput.fill(name);
        await this.focusedRow.filter({ hasText: name }).waitFor();
        await this.keyboard.press('Enter');
        await this.quickInput.waitFor({ state: 'hidden' });
        // Both the window and the page of the preview have it now.
        const [outside, inside] = /Contrast/.test(name)
            ? ['hc-black', 'vscode-high-contrast']
            : /Light/.test(name)
              ? ['vs', 'vscode-light']
              : ['vs-dark', 'vscode-dark'];
        await this.page.locator(`.monaco-workbench.${outside}`).waitFor();
        await this.preview.locator(`body.${inside}`).waitFor();
    }

    /** The texts of the Problems view. */
    async problems() {
        await this.run('Problems: Focus on Problems View');
        const rows = this.page.locator('.markers-panel .monaco-list-row');
        await rows.first().waitFor();
        return (await rows.allInnerTexts()).join('\n');
    }

    /** Opens the preview and waits for its text. */
    async openPreview() {
        await this.run('promptls: Open Preview');
        await this.preview.locator('#text').waitFor();
    }

    previewText() {
        return this.preview.locator('#text').evaluate((node) => node.textContent);
    }

    async waitForPreview(expected) {
        let actual;
        await until(`the preview shows ${JSON.stringify(expected)}`, async () => {
            actual = await this.previewText();
            return actual === expected;
        }).catch(() => assert.equal(actual, expected));
    }

    /** Selects a case with the status bar. */
    async selectCase(name) {
        await this.status.click();
        await this.quickRows.filter({ hasText: name }).first().click();
    }

    async picture(name) {
        fs.mkdirSync(PROMPTLS_OUT, { recursive: true });
        const file = path.join(PROMPTLS_OUT, `${name}.png`);
        await this.page.screenshot({ path: file });
        return file;
    }
}
