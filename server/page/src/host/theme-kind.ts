/**
 * The kind of theme: light or dark, with or without high contrast.
 *
 * VS Code sets it as classes of the body, which determine the colours that the theme does not define. In a
 * browser, the same classes are set from its settings.
 */

/** Updates the classes of the body when the browser's settings change. VS Code sets its own. */
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

/** The classes of VS Code: a light theme with high contrast has two. */
function themeClasses(isDark: boolean, isContrast: boolean): string[] {
    if (isContrast) {
        return isDark ? ['vscode-high-contrast'] : ['vscode-high-contrast', 'vscode-high-contrast-light'];
    }
    return [isDark ? 'vscode-dark' : 'vscode-light'];
}
