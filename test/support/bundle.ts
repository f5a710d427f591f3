import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { inject } from 'vitest'
import { forNode } from '../../server/ops/for-node.mjs'

/** Makes a program one file that plain node runs, which starts in a fraction of the time that tsx takes. */
export async function bundle(entry: string, outfile: string, options: BuildOptions = {}): Promise<void> {
  await build({
    ...forNode,
    entryPoints: [entry],
    outfile,
    logLevel: 'error',
    external: ['@node-rs/argon2', 'pg-native'],
    ...options,
  })
}

const made = new Map<string, Promise<string>>()

/** The bundle of a test's program, made once a worker. */
export function bundled(entry: string): Promise<string> {
  const existing = made.get(entry)
  if (existing) return existing
  const outfile = join(inject('build'), `${process.pid}-${made.size}-${basename(entry, '.ts')}.mjs`)
  const making = bundle(entry, outfile).then(() => outfile)
  made.set(entry, making)
  return making
}
