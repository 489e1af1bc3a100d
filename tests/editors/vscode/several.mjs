// Runs several files of stories in one process, so that they share a window: several.mjs FILE...
//
// To open one takes twenty seconds of a processor; `node --test` has a process, and therefore a
// window, for each file.
for (const file of process.argv.slice(2)) {
    await import(new URL(file, import.meta.url));
}
