/** Promises that a test resolves or rejects. */
export function later<T>() {
    const waiting: { keep: (value: T) => void; break: (error: Error) => void }[] = [];
    return {
        promise: () => new Promise<T>((keep, broken) => waiting.push({ keep, break: broken })),
        keep: (value: T) => waiting.shift()?.keep(value),
        break: (reason: string) => waiting.shift()?.break(new Error(reason)),
    };
}

/** Resolves once all pending work is done. */
export const soon = () => new Promise((done) => setTimeout(done));
