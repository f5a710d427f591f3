import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundle } from '../../support/bundle.ts'

const root = join(import.meta.dirname, '../../..')
const child = join(import.meta.dirname, '../child')

/** A change to the source of the service that only the bundle gets. */
export type Patch = TextPatch | FunctionPatch

/** Replaces a text that the file contains once. */
export interface TextPatch {
  /** Below the repository. */
  file: string
  find: string
  replace: string
}

/** Replaces a named function, wherever it is declared under server/: survives moves and edits. */
export interface FunctionPatch {
  /** A name that exactly one function declaration under server/ has. */
  around: string
  /** An expression, evaluated in the function's module: a function of the original and its arguments. */
  by: string
}

/** The service as one file that plain node runs. */
export interface Bundle {
  program: string
  remove(): Promise<void>
}

/**
 * Bundles the service once, so that each of many processes starts in a fraction of the time tsx takes.
 * @throws if a patch does not apply exactly once, so that a missing protection never counts as switched off
 */
export async function bundleService(patches: Patch[] = []): Promise<Bundle> {
  // Inside the tree, where packages that stay outside of the bundle are found.
  const directory = await mkdtemp(join(root, 'node_modules/.faults-'))
  const applied = new Set<Patch>()
  const plugin: Plugin = {
    name: 'patch',
    setup(setup) {
      setup.onLoad({ filter: /\/server\/.*\.ts$/ }, async ({ path }) => {
        const file = relative(root, path)
        let contents = await readFile(path, 'utf8')
        for (const patch of patches) {
          const times = occurrences(patch, file, contents)
          if (times === 0) continue
          if (times > 1 || applied.has(patch))
            throw new Error(`${file}: ${nameOf(patch)} is there more than once`)
          contents = applyPatch(patch, contents)
          applied.add(patch)
        }
        return { contents, loader: 'ts' }
      })
    },
  }
  const program = join(directory, 'serve.mjs')
  await bundle(join(child, 'serve.ts'), program, { plugins: [plugin], minify: true, keepNames: true })
  const missed = patches.find((patch) => !applied.has(patch))
  if (missed) throw new Error(`${nameOf(missed)} is not part of the service`)
  return { program, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** The name of a patch in messages. */
export function nameOf(patch: Patch): string {
  return 'around' in patch ? `function ${patch.around}` : `${patch.file}: ${patch.find}`
}

/** How often a file contains the code that a patch replaces. */
export function occurrences(patch: Patch, file: string, contents: string): number {
  if ('around' in patch) return contents.match(new RegExp(declarationOf(patch), 'gm'))?.length ?? 0
  return patch.file === file ? contents.split(patch.find).length - 1 : 0
}

function declarationOf({ around }: FunctionPatch): string {
  return `^(export )?(async )?function ${around}\\b`
}

function applyPatch(patch: Patch, contents: string): string {
  if (!('around' in patch)) return contents.replace(patch.find, () => patch.replace)
  const { around, by } = patch
  const original = `${around}Unpatched`
  return contents.replace(new RegExp(declarationOf(patch), 'm'), (_, exported = '', asynchronous = '') =>
    [
      `${exported}function ${around}(...args) { return (${by})(${original}, ...args) }`,
      `${asynchronous}function ${original}`,
    ].join('\n'),
  )
}
