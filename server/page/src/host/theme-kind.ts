/**
 * The kind of theme: light or dark, with high contrast or not.
 *
 * VS Code names it in classes of the body, which colours follow that a theme does not have. A browser
 * gets the same classes from its settings.
 */

/** Keeps the classes of the body as the settings of the browser are. VS Code sets its own. */
export function followThemeOfBrowser(body: HTMLElement): void {
    if (/\bvscode-(light|dark|high-contrast)/.test(body.className)) {
        return;
    }
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const contrast = matchMedia('(prefers-contrast: more)');
    const mark = () => {
        const kinds = themeClasses(dark.matches, contrast.matches);
        for (const name of allClasses) {
            body.classList.toggle(name, kinds.includes(name));
        }
    };
    dark.addEventListener('change', mark);
    contrast.addEventListener('change', mark);
    mark();
}

const allClasses = ['vscode-light', 'vscode-dark', 'vscode-high-contrast', 'vscode-high-contrast-light'];

/** The classes as VS Code has them: a light theme of high contrast has two. */
function themeClasses(isDark: boolean, isContrast: boolean): string[] {
    if (isContrast) {
        return isDark ? ['vscode-high-contrast'] : ['vscode-high-contrast', 'vscode-high-contrast-light'];
    }
    return [isDark ? 'vscode-dark' : 'vscode-light'];
}
