import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { inject } from 'vitest'

/** What packages in CommonJS expect to be there, under names that no module has. */
const commonJs = [
  "import { createRequire as requireFrom__ } from 'node:module'",
  "import { dirname as directoryOf__ } from 'node:path'",
  "import { fileURLToPath as pathOf__ } from 'node:url'",
  'const require = requireFrom__(import.meta.url)',
  'const __filename = pathOf__(import.meta.url)',
  'const __dirname = directoryOf__(__filename)',
].join(';')

/** Makes a program one file that plain node runs, which starts in a fraction of the time that tsx takes. */
export async function bundle(entry: string, outfile: string, options: BuildOptions = {}): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    external: ['@node-rs/argon2', 'pg-native'],
    banner: { js: commonJs },
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
