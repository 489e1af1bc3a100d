// The licences of the packages in a bundle, as they require.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A comment for the end of a bundle that esbuild has made of these inputs, whose paths are relative to the working directory. */
export function notices(bundle, { inputs }) {
    const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
    const notice = (folder) => {
        const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
        // If there is a choice of licences, the one in the file `LICENSE` is used.
        const file = readdirSync(folder).find((it) => /^licen[cs]e(\.|$)|^LICENSE-MIT/i.test(it));
        const words = name === 'dompurify' ? 'Apache-2.0, https://www.apache.org/licenses/LICENSE-2.0' :
            readFileSync(path.join(folder, file), 'utf8').trim();
        return `${name} ${version}, ${license}\n\n${words}`;
    };
    const all = [...new Set(folders)].map(notice).sort().join('\n\n----\n\n');
    return `/*! ${bundle} contains:\n\n${all.replaceAll('*/', '* /')}\n*/\n`;
}
