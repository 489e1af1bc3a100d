// Runs a single module of a package, without the dependencies of the package.

import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const isPackage = (specifier) => !/^(node:|file:|data:|[./]|module$)/.test(specifier);

/** A module with all names that another one imports from a package: stand-ins without behaviour. */
function standIn(specifier, importer) {
    const source = readFileSync(fileURLToPath(importer), 'utf8');
    const imports = source.matchAll(/import\s*\{([^}]*)\}\s*from\s*"([^"]*)"/g);
    const ofIt = [...imports].filter(([, , from]) => from === specifier);
    const names = ofIt.flatMap(([, list]) => list.split(',').map((name) => name.trim().split(/\s+as\s+/)[0]));
    const module = [
        'const nothing = new Proxy(function () {}, { get: () => nothing, apply: () => nothing });',
        'export default nothing;',
        ...names.filter(Boolean).map((name) => `export const ${name} = nothing;`),
    ].join('\n');
    return `data:text/javascript,${encodeURIComponent(module)}`;
}

export async function resolve(specifier, context, next) {
    if (isPackage(specifier)) return { url: standIn(specifier, context.parentURL), shortCircuit: true };
    return next(specifier, context);
}

/** Imports a module whose dependencies are missing. */
export function importAlone(path) {
    register(import.meta.url);
    return import(path);
}

/**
 * Responds to the cases on each line with the results of a function: an object for each.
 *
 * `inputs` and `declarations` are JSON texts, which are parsed in this language.
 */
export async function answer(fillIn) {
    for await (const line of createInterface({ input: process.stdin })) {
        const cases = JSON.parse(line);
        const inputs = JSON.parse(cases.inputs);
        const declarations = JSON.parse(cases.declarations ?? '{}');
        const filledIn = [];
        for (const template of cases.templates) {
            filledIn.push(await fillIn(template, inputs, declarations));
        }
        process.stdout.write(`${JSON.stringify(filledIn)}\n`);
    }
}
