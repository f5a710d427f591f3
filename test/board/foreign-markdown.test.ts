import { expect, test } from 'vitest'
import { tokensOf } from '../../server/board/foreign-markdown.ts'

const bars = (cell: string) => `|${cell}`.repeat(20)

test.each([
  ['signs of emphasis', '*a_ '.repeat(900)],
  ['a word without an end', 'a.'.repeat(800)],
  ['lists within each other', `${'- '.repeat(40)}a`],
  ['quotes beyond the stack of the parser', '>'.repeat(5000)],
])('%s stay text, which costs nothing to read', (_, text) => {
  expect([...tokensOf(text)]).toMatchObject([{ type: 'paragraph', text }])
})

test('a table of more cells than anybody reads stays the lines that it is written in', () => {
  const rows = Array.from({ length: 20 }, () => 'b').join('\n')
  const table = `${bars('a')}\n${bars('-')}\n${rows}`
  expect([...tokensOf(table)]).toMatchObject([{ type: 'paragraph', text: table }])
})

test('a table as people write it is one, with what its cells hold', () => {
  const [table] = tokensOf('| Case | Result |\n|---|---|\n| **leap** day | ok |')
  expect(table).toMatchObject({ type: 'table', header: [{ text: 'Case' }, { text: 'Result' }] })
})

test('what people write is Markdown, however long', () => {
  const text = '- **Fix** the _last_ week, see https://market.example/4.\n'.repeat(85)
  expect([...tokensOf(text)]).toMatchObject([{ type: 'list' }])
})
