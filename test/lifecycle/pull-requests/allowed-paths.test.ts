import { expect, test } from 'vitest'
import { isAllowed } from '../../../server/lifecycle/pull-requests/allowed-paths.ts'

test.each([
  ['src/**', ['src/a.ts', 'src/a/b/c.ts', 'src/.hidden', 'src/ünï/ç.ts', 'src/a\nb']],
  ['src/*.ts', ['src/a.ts', 'src/.ts']],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/a/b.ts']],
  ['src/**/test/*', ['src/test/a', 'src/a/b/test/c']],
  ['**', ['README.md', 'src/a/b']],
  ['src/(a|b)+[c].ts', ['src/(a|b)+[c].ts']],
])('%s allows what it names', (glob, paths) => {
  expect(paths.filter((path) => !isAllowed(path, [glob]))).toEqual([])
})

test.each([
  ['src/**', ['src', 'Src/a.ts', 'lib/a.ts', 'src2/a.ts', 'a/src/b.ts', 'package.json']],
  ['src/*.ts', ['src/a/b.ts', 'src/a.TS', 'src/a.tsx', 'xsrc/a.ts']],
  ['src/**/test/*', ['src/test/a/b', 'src/atest/b']],
  ['src/a.ts', ['src/a.ts/b', 'src/axts', 'src/a.ts\n']],
  ['src/é', ['src/e\u0301']],
  ['src/(a|b)', ['src/a', 'src/b']],
])('%s allows nothing else', (glob, paths) => {
  expect(paths.filter((path) => isAllowed(path, [glob]))).toEqual([])
})

test.each([
  '.github/workflows/test.yml',
  '.GitHub/CODEOWNERS',
  '.gitmodules',
  'conftest.py',
  'src/conftest.py',
  'src/Conftest.PY',
  'src/confte\u{17f}t.py',
  'lib/sitecustomize.py',
  'src/../package.json',
  'src/./a',
  'src//a',
  '/etc/passwd',
  '',
])('%j is never allowed', (path) => {
  expect(isAllowed(path, ['**', '**/*', 'src/**', path])).toBe(false)
})

test('one of several globs is enough, and none allows nothing', () => {
  expect(isAllowed('docs/a.md', ['src/**', 'docs/*'])).toBe(true)
  expect(isAllowed('docs/a.md', [])).toBe(false)
})

test('a glob of many stars takes no time', () => {
  const began = performance.now()
  expect(
    isAllowed(`${'a/'.repeat(1000)}b`, ['**/a/'.repeat(30), '*a'.repeat(60), `${'**/*a'.repeat(30)}c`]),
  ).toBe(false)
  expect(performance.now() - began).toBeLessThan(2000)
})
