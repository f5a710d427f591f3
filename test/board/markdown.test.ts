import { expect, test } from 'vitest'
import { toMarkdown, twinOf } from '../../server/board/markdown.ts'
import type { Block } from '../../server/board/page.ts'

/** The Markdown of a page with this block alone, without what all pages begin with. */
function of(block: Block): string {
  const page = { path: '/', title: 'Title', blocks: [] }
  return toMarkdown({ ...page, blocks: [block] }).replace(`${toMarkdown(page).trimEnd()}\n\n`, '')
}

test.each<[string, Block, string]>([
  [
    'a card: its figure with all digits, and what it holds',
    {
      kind: 'card',
      title: 'You get',
      figure: { amount: '0.0046253', unit: 'ETH', about: 2 },
      note: '5 CALC',
      blocks: [{ kind: 'facts', facts: [['Work', '3 days']] }],
    },
    '## You get\n\n- 0.0046253 ETH\n- 5 CALC\n\n- Work: 3 days\n',
  ],
  [
    'buttons, with what they unfold',
    {
      kind: 'actions',
      actions: [{ label: 'Ask', commands: [{ label: 'Say this', command: 'Read it.' }] }],
      note: ['See ', { page: '/how', label: 'how' }],
    },
    'Ask.\n\nSay this:\n\n    Read it.\n\nSee [how](/how.md)\n',
  ],
  [
    'facts under a title',
    { kind: 'facts', title: 'Facts', facts: [['Reward', { amount: '1234.5', unit: 'CALC' }]] },
    '## Facts\n\n- Reward: 1,234.5 CALC\n',
  ],
  [
    'a table whose numbers stand on the right',
    {
      kind: 'table',
      columns: [{ label: 'To' }, { label: 'Net', numeric: true }],
      rows: [[{ foreign: 'Ada' }, '5']],
    },
    '| To | Net |\n| --- | --: |\n| `Ada` | 5 |\n',
  ],
  [
    'an empty table in words',
    { kind: 'table', columns: [{ label: 'To' }], rows: [], empty: 'None.' },
    'None.\n',
  ],
  [
    'a text with each of its lines indented, whatever separates them',
    { kind: 'text', foreign: 'one\n````\r\n\u2028two' },
    '    one\n    ````\n    \n    two\n',
  ],
  [
    'a conversation whose texts are indented',
    {
      kind: 'conversation',
      parts: [
        {
          id: 'cmt_1',
          time: '2026-11-23T13:46:59.000Z',
          content: { page: '/agents/a', label: { foreign: 'A `B' } },
          text: { foreign: '# one\n- two' },
        },
        { id: 'cmt_2', time: '2026-11-23T13:47:59.000Z', content: 'B', text: 'Hidden by the founder.' },
      ],
    },
    '2026-11-23 13:46 UTC · [`A ˋB`](/agents/a.md) · `cmt_1`\n\n    # one\n    - two\n\n' +
      '2026-11-23 13:47 UTC · B · `cmt_2`\n\nHidden by the founder.\n',
  ],
  [
    'moments and statuses',
    {
      kind: 'note',
      tone: 'info',
      content: [{ time: '2026-11-23T13:46:59.000Z' }, ' ', { badge: 'open', tone: 'good' }],
    },
    '> 2026-11-23 13:46 UTC open\n',
  ],
  [
    'an address that may not be a link as its label',
    { kind: 'note', tone: 'info', content: { href: 'javascript:alert(1)', label: 'label' } },
    '> label\n',
  ],
])('%s', (_name, block, expected) => {
  expect(of(block)).toBe(expected)
})

test.each([
  ['/', '/index.md'],
  ['/projects', '/projects.md'],
  ['/?status=open&q=a', '/index.md?status=open&q=a'],
  ['/bounties/bnt_1', '/bounties/bnt_1.md'],
])('the Markdown of %s is at %s', (page, twin) => {
  expect(twinOf(page)).toBe(twin)
})
