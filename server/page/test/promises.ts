/** Promises that are kept by hand. */
export function later<T>() {
    const waiting: ((value: T) => void)[] = [];
    return { promise: () => new Promise<T>((done) => waiting.push(done)), keep: (value: T) => waiting.shift()?.(value) };
}

/** Once all that can be done for now is done. */
export const soon = () => new Promise((done) => setTimeout(done));
