import { createRequire } from 'node:module'

/** The Solidity compiler. */
export interface Solc {
  version(): string
  compile(
    input: string,
    callbacks?: { import(path: string): { contents: string } | { error: string } },
  ): string
}

/** Loads the compiler without the handler by which it ends the process at any unhandled rejection. */
export function loadSolc(): Solc {
  const before = process.listeners('unhandledRejection')
  const solc = createRequire(import.meta.url)('solc')
  for (const listener of process.listeners('unhandledRejection'))
    if (!before.includes(listener)) process.off('unhandledRejection', listener)
  return solc
}
