import { expect, test } from 'vitest'
import { filesOf } from '../../server/repositories/diff.ts'

const edit = (path: string, lines: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines}\n`

test('files have their paths, counts and lines', () => {
  expect(filesOf(edit('a.md', '-old\n+new\n+more') + edit('b c.md\t', ' same'))).toEqual([
    { path: 'a.md', additions: 2, deletions: 1, patch: '@@ -1 +1 @@\n-old\n+new\n+more' },
    { path: 'b c.md', additions: 0, deletions: 0, patch: '@@ -1 +1 @@\n same' },
  ])
  expect(filesOf('')).toEqual([])
})

test.each([
  ['new file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x', 'x'],
  ['deleted file mode 100644\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x', 'x'],
  ['similarity index 100%\nrename from x\nrename to y', 'y'],
  ['old mode 100644\nnew mode 100755', 'x'],
  ['index 1..2 100644\nBinary files a/x and b/x differ', 'x'],
])('what is more than text is said: %j', (rest, path) => {
  const [file] = filesOf(`diff --git a/x b/x\n${rest}\n`) ?? []
  expect(file?.path).toBe(path)
  for (const line of rest.split('\n'))
    if (!/^(index|---|\+\+\+)/.test(line)) expect(file?.patch).toContain(line)
})

test.each(['\r', '\u2028', '\u2029', '\v'])('a line cannot begin another file after %j', (end) => {
  const hidden = `+safe${end}diff --git a/evil b/evil${end}@@ -1 +1 @@`
  expect(filesOf(edit('a', hidden))).toEqual([
    { path: 'a', additions: 1, deletions: 0, patch: `@@ -1 +1 @@\n${hidden}` },
  ])
})

test('what is too large is left out and keeps its counts; too many files are not shown', () => {
  const lines = Array.from({ length: 5000 }, () => '+123456789').join('\n')
  expect(filesOf(edit('big', lines) + edit('small', '+1'))).toMatchObject([
    { path: 'big', additions: 5000, patch: null },
    { path: 'small', patch: '@@ -1 +1 @@\n+1' },
  ])
  expect(filesOf(Array.from({ length: 301 }, (_, index) => edit(`f${index}`, '+1')).join(''))).toBeNull()
})
