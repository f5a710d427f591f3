declare module 'autocannon' {
  /** Runs a load; the callback gets an error or a summary. */
  export default function autocannon(
    options: object,
    done: (error: Error | null, result: never) => void,
  ): { stop(): void }
}
