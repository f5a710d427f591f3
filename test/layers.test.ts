import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What stands in `server`: a file imports from its own folder and from what comes later. `server/README.md` has the same list. */
const downwards = [
  'main.ts',
  'ops',
  'observability',
  'startup',
  'app.ts',
  'board',
  'mcp',
  'http',
  'router.ts',
  'market',
  'money',
  'code',
  'lifecycle',
  'events',
  'api',
  'trpc.ts',
  'context.ts',
  'services.ts',
  'auth',
  'crypto',
  'loops',
  'db',
  'embedded',
  'config',
  'errors.ts',
  'ids.ts',
]

const imports = [...importsOf('server'), ...importsOf('sdk/src/core')]

test('imports in server go downwards', () => {
  const place = (file: string) => downwards.indexOf(file.split('/')[1] ?? '')
  const inServer = imports.filter(([from, to]) => from.startsWith('server/') && to.startsWith('server/'))
  expect(inServer.length).toBeGreaterThan(1000)
  expect(inServer.filter(([from]) => place(from) < 0)).toEqual([])
  expect(inServer.filter(([from, to]) => place(from) > place(to))).toEqual([])
  expect(readFileSync(join(root, 'server/README.md'), 'utf8').replace(/\s+/g, ' ')).toContain(
    downwards.map((name) => `\`${name}\``).join(', '),
  )
})

test('within a folder, files and whole sub-folders import each other without a circle', () => {
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const [from, to] of imports) {
    const one = from.split('/')
    const other = to.split('/')
    const depth = one.findIndex((name, at) => name !== other[at])
    const folder = one.slice(0, depth).join('/')
    const within = folders.get(folder) ?? new Map<string, Set<string>>()
    folders.set(folder, within)
    const name = one[depth] ?? ''
    within.set(name, (within.get(name) ?? new Set()).add(other[depth] ?? ''))
  }
  expect(
    [...folders].map(([folder, within]) => [folder, circleIn(within)]).filter(([, names]) => names),
  ).toEqual([])
})

/** Names that import each other, directly or by others; undefined if there are none. */
function circleIn(within: Map<string, Set<string>>): string[] | undefined {
  const left = new Map(within)
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [name, used] of left) if (![...used].some((other) => left.has(other))) left.delete(name)
  }
  return left.size > 0 ? [...left.keys()] : undefined
}

/** Each import of a file by another one, those of types too. */
function importsOf(folder: string): [from: string, to: string][] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const file = join(folder, name)
      const found = readFileSync(join(root, file), 'utf8').matchAll(
        /\b(?:from|import)\s*\(?\s*'(\.[^']+|#board\/html)'/g,
      )
      return [...found].map(([, to = '']): [string, string] => [
        file,
        to === '#board/html'
          ? 'server/board/html/document.tsx'
          : relative(root, join(root, dirname(file), to)),
      ])
    })
}
