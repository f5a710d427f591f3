import { spawnSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

export const root = join(import.meta.dirname, '../../..')
const bench = join(import.meta.dirname, '..')

/**
 * Makes JavaScript of everything that is measured or measures, so that plain Node runs it. The server's build is
 * copied, so that a later build does not pull the files away under a running one.
 *
 * @param folder has to lie inside the repository, where the packages are found
 * @returns paths of the scripts
 */
export async function compile(folder: string, options: { dist: string | undefined; source: boolean }) {
  await mkdir(folder, { recursive: true })
  if (options.dist === undefined && !options.source) run(['server/ops/build.mjs'])
  if (!options.source) await cp(options.dist ?? join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  const scripts = ['fastify', 'writes'].map((name) => `servers/${name}.ts`)
  await build({
    entryPoints: [...scripts, 'harness/generator.ts'].map((path) => join(bench, path)),
    outdir: folder,
    outbase: bench,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
  return {
    server: options.source ? join(root, 'server/main.ts') : join(folder, 'dist/server/main.js'),
    generator: join(folder, 'harness/generator.mjs'),
    peer: (name: string) => join(folder, `servers/${name}.mjs`),
  }
}

function run(args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed`)
}
