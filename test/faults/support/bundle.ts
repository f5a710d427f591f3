import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../../..')
const child = join(import.meta.dirname, '../child')

/** What packages in CommonJS expect to be there. */
const commonJs = [
  "import { createRequire } from 'node:module'",
  "import { dirname } from 'node:path'",
  "import { fileURLToPath } from 'node:url'",
  'const require = createRequire(import.meta.url)',
  'const __filename = fileURLToPath(import.meta.url)',
  'const __dirname = dirname(__filename)',
].join(';')

/** A change to the source of the service, made while it is bundled and nowhere else. */
export interface Patch {
  /** Below the repository. */
  file: string
  find: string
  replace: string
}

/** The service as one file that plain node runs. */
export interface Bundle {
  program: string
  remove(): Promise<void>
}

/**
 * Bundles the service once, so that each of many processes starts in a fraction of the time tsx takes.
 * @throws when a patch does not apply exactly once: a protection that is gone or moved must not pass for switched off
 */
export async function bundleService(patches: Patch[] = []): Promise<Bundle> {
  // Inside the tree, where packages that stay outside of the bundle are found.
  const directory = await mkdtemp(join(root, 'node_modules/.faults-'))
  const applied = new Set<Patch>()
  const plugin: Plugin = {
    name: 'patch',
    setup(setup) {
      setup.onLoad({ filter: /\/server\/.*\.ts$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const patch of patches.filter(({ file }) => file === relative(root, path))) {
          if (contents.split(patch.find).length !== 2)
            throw new Error(`${patch.file}: the patch does not apply`)
          contents = contents.replace(patch.find, () => patch.replace)
          applied.add(patch)
        }
        return { contents, loader: 'ts' }
      })
    },
  }
  const program = join(directory, 'serve.mjs')
  await build({
    entryPoints: [join(child, 'serve.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [plugin],
    minify: true,
    keepNames: true,
    external: ['@node-rs/argon2', 'pg-native'],
    banner: { js: commonJs },
  })
  if (applied.size < patches.length) throw new Error('a patch names a file that is not part of the service')
  return { program, remove: () => rm(directory, { recursive: true, force: true }) }
}
