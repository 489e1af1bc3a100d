/** Promises that are kept, or broken, by hand. */
export function later<T>() {
    const waiting: { keep: (value: T) => void; break: (error: Error) => void }[] = [];
    return {
        promise: () => new Promise<T>((keep, broken) => waiting.push({ keep, break: broken })),
        keep: (value: T) => waiting.shift()?.keep(value),
        break: (reason: string) => waiting.shift()?.break(new Error(reason)),
    };
}

/** Once all that can be done for now is done. */
export const soon = () => new Promise((done) => setTimeout(done));
