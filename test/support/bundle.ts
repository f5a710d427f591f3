import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { forNode } from '../../server/ops/for-node.mjs'
import { sharedBuild } from './shared/shared.ts'

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
  const making = makeBundle(entry, `${process.pid}-${made.size}-${basename(entry, '.ts')}.mjs`)
  made.set(entry, making)
  return making
}

/** Beside the build, whose folder resolves packages and ends with the run. */
async function makeBundle(entry: string, name: string): Promise<string> {
  const outfile = join(await sharedBuild(), name)
  await bundle(entry, outfile)
  return outfile
}
