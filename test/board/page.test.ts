import { marked, type Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { toHtml } from '#board/html'
import { toMarkdown } from '../../server/board/markdown.ts'
import { brief, grouped, isLinkable, type Page, readable, shown, tokens } from '../../server/board/page.ts'
import { hostileTexts, longWord, neutral, withMarks } from './support/hostile-texts.ts'
import { markupOf } from './support/twin.ts'

const texts = [...Object.values(hostileTexts), withMarks(1000), longWord(5000)]

describe('a text of others', () => {
  test('is shown whole, but for what reorders or hides its surroundings', () => {
    for (const text of texts) expect.soft(shown({ foreign: text })).toBe(neutral(text))
    expect(shown({ foreign: 'a\n\tb\r\nc' })).toBe('a\n\tb\r\nc')
  })

  test('is cut between characters, at the most that fit', () => {
    expect(shown({ foreign: 'abcdef', most: 6 })).toBe('abcdef')
    expect(shown({ foreign: 'abcdefg', most: 6 })).toBe('abcdef…')
    expect(shown({ foreign: '🦀🦀🦀', most: 3 })).toBe('🦀🦀🦀')
    expect(shown({ foreign: '🦀🦀🦀🦀', most: 3 })).toBe('🦀🦀🦀…')
    expect(shown({ foreign: 'ab cd', most: 3 })).toBe('ab…')
  })
})

test.each([
  ['https://a.example/b', true],
  ['http://127.0.0.1:3001/a', true],
  ['javascript:alert(1)', false],
  ['JaVaScRiPt:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['blob:https://a.example/b', false],
  ['file:///etc/passwd', false],
  ['//evil.example/a', false],
  ['/\\evil.example/a', false],
  ['\\\\evil.example\\a', false],
])('the address %j may be a link: %s', (address, may) => {
  expect(isLinkable(address)).toBe(may)
})

test.each([
  ['0', '0'],
  ['1234567', '1,234,567'],
  ['1234.5000', '1,234.5'],
  ['-1234567.25', '-1,234,567.25'],
  ['0.000012345678', '0.0000123456'],
  ['123456.123456789', '123,456.123456'],
  ['1000000000000000000000', '1,000,000,000,000,000,000,000'],
])('the amount %s is written as %s', (amount, written) => {
  expect(grouped(amount, 6)).toBe(written)
})

test.each([
  ['0.0046253', '≈ 0.0046'],
  ['0.00999', '≈ 0.0099'],
  ['12.5', '≈ 12'],
  ['1.26', '≈ 1.2'],
  ['5', '≈ 5'],
  ['123456.9', '≈ 120,000'],
  ['0', '≈ 0'],
  ['0.00000099', '< 0.000001'],
])('about %s ETH, in two digits and never more than it is, is %s', (amount, written) => {
  expect(brief({ amount, unit: 'ETH', about: 2 })).toBe(written)
})

test.each(['abc', '1e-7', '', '-', '1.', '.5', '0x10'])(
  '%j, which is no decimal, is shown as it is',
  (amount) => {
    expect(grouped(amount)).toBe(amount)
  },
)

test.each([
  'ETH',
  'eth',
  'WETH',
  'stETH',
  'ETHx',
  'wstETH',
  'ETH2',
  'USDC',
  'usdt',
  'USDbC',
  'PYUSD',
  'FDUSD',
  'USD1',
  'USDT0',
  'crvUSD',
  'BTC',
  'tBTC',
  'cbBTC',
  'DAI',
  'sDAI',
  'GWEI',
  'wei',
  'EURC',
  'WBNB',
])('tokens called %s are not taken for money', (symbol) => {
  expect(tokens(500, symbol)).toEqual({ amount: '500', unit: `tokens named “${symbol}”` })
})

test.each([
  'CALC',
  'ETHOS',
  'METHOD',
  'TEETH',
  'BETH',
  'WEIRD',
  'STOP',
  'SOLAR',
  'POLAR',
  'OPEN',
  'EUROPE',
  'SATURN',
  'DAISY',
  'USELESS',
  'MUSTARD',
  'MIMIC',
  'LUSDRAGON',
])('tokens of any other name, such as %s, are written with it', (symbol) => {
  expect(tokens('12.5', symbol)).toEqual({ amount: '12.5', unit: symbol })
})

test('a moment is written in UTC, to the minute', () => {
  expect(readable('2026-11-23T13:46:59.999Z')).toBe('2026-11-23 13:46 UTC')
})

/** A page with a text of others wherever there can be one. */
function pageWith(text: string): Page {
  const foreign = { foreign: text }
  const link = { page: '/bounties/bnt_1', label: foreign }
  const row = [foreign, link, 'last']
  const columns = [{ label: 'One' }, { label: 'Two', numeric: true }, { label: 'Three' }]
  const points = [
    { x: 0, y: 1 },
    { x: 2, y: 3 },
  ]
  return {
    path: '/bounties/bnt_1',
    title: foreign,
    above: link,
    status: ['of ', foreign],
    summary: ['by ', foreign],
    blocks: [
      { kind: 'note', tone: 'info', content: ['See ', foreign, '.'] },
      {
        kind: 'card',
        title: 'Card',
        figure: foreign,
        note: foreign,
        blocks: [{ kind: 'more', label: 'Receipt', page: '/projects' }],
      },
      { kind: 'folded', label: 'Folded', blocks: [{ kind: 'facts', facts: [['Fact', foreign]] }] },
      {
        kind: 'facts',
        title: 'Facts',
        facts: [['Fact', ['is ', foreign, ' now']]],
      },
      {
        kind: 'entries',
        entries: [{ title: link, figure: foreign, details: [foreign, 'detail'] }],
        empty: 'None.',
      },
      { kind: 'table', title: 'Table', columns, rows: [row, row] },
      { kind: 'text', title: 'Text', foreign: text },
      {
        kind: 'timeline',
        title: 'Timeline',
        items: [{ id: 'act_1', time: '2026-11-23T13:46:00.000Z', content: [link, ' acted'] }],
      },
      {
        kind: 'chart',
        title: 'Chart',
        chart: { x: { label: 'x' }, y: { label: 'y' }, points },
        table: { columns, rows: [row] },
      },
      {
        kind: 'filters',
        action: '/',
        fields: [
          { kind: 'search', name: 'q', label: 'Search', value: text },
          { kind: 'hidden', name: 'project_id', label: 'Project', value: text },
        ],
      },
      { kind: 'note', tone: 'info', content: { href: 'https://code.example/1', label: foreign } },
      { kind: 'note', tone: 'info', content: { href: `javascript:${text}`, label: 'no link' } },
    ],
  }
}

const frame = {
  style: '/s',
  script: '/j',
  desk: '/d',
  icon: '/i',
  version: '1',
  origin: 'https://market.example',
}
test('the end of its id stands beside the name of an agent that shares it with another one on the page', () => {
  const agent = (foreign: string, mark: string) => [{ foreign, isName: true as const }, { mark }]
  const shownWith = (...agents: ReturnType<typeof agent>[]) =>
    [
      ...toHtml(
        {
          path: '/agents',
          title: 'Agents',
          blocks: [{ kind: 'facts', facts: agents.map((each) => ['By', each]) }],
        },
        frame,
      ).matchAll(/class="mark"[^>]*>(\w+)</g),
    ].map(([, mark]) => mark)
  expect(shownWith(agent('Ada', 'aaaa'), agent('Grace', 'bbbb'), agent('Ada', 'aaaa'))).toEqual([])
  expect(shownWith(agent('Ada', 'aaaa'), agent('Grace', 'bbbb'), agent(' ADA', 'cccc'))).toEqual([
    'aaaa',
    'cccc',
  ])
})

/** What is read as Markdown. It ends at the first end of a `div`, because it may hold none. */
const prose = /<div class="prose foreign">.*?<\/div>/gs
/** All that Markdown may become. */
const allowed =
  /^(p|li|th|td)( class="heading")? dir="auto"$|^(table|thead|tbody|tr)$|^ol start="\d+"$|^(ul|blockquote|pre|code|strong|em|s|br\/|hr\/)$|^a href="https?:\/\/[^"]*" rel="external nofollow ugc noopener"$|^span class="host"$|^div class="prose foreign"$/

describe.each(Object.entries({ ...hostileTexts, thousandMarks: withMarks(1000), longWord: longWord(5000) }))(
  '%s',
  (_name, text) => {
    test('stays text in Markdown, wherever it stands', () => {
      const made = toMarkdown(pageWith(text))
      const { links, headings, brought } = markupOf(made)
      expect(brought).toEqual([])
      const allowed = ['/bounties/bnt_1.md', '/projects.md', 'https://code.example/1']
      for (const link of links) expect(allowed).toContain(link)
      expect(headings.slice(1)).toEqual(['Card', 'Facts', 'Table', 'Text', 'Timeline', 'Chart'])
      const tables = marked.lexer(made).filter((token): token is Tokens.Table => token.type === 'table')
      expect(tables).toHaveLength(2)
      for (const { rows } of tables) for (const cells of rows) expect(cells[2]?.text).toBe('last')
      expect(made).toBe(neutral(made))
    })

    test('stays text in HTML, wherever it stands', () => {
      const [made, usual] = [text, 'usual'].map((each) =>
        toHtml(pageWith(each), frame).replace(prose, ''),
      ) as [string, string]
      const tagsOf = (html: string) => [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([tag]) => tag)
      expect(tagsOf(made)).toEqual(tagsOf(usual))
      expect(made).not.toMatch(
        /href="(?!\/|#|https:\/\/(code\.example\/1|market\.example\/bounties\/bnt_1)")/,
      )
      expect(made.replace(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+/)
    })

    test('becomes nothing but a few elements where it is Markdown', () => {
      const [made = ''] = toHtml(pageWith(text), frame).match(prose) ?? []
      expect(made).not.toBe('')
      for (const [, tag = ''] of made.matchAll(/<([^/][^>]*)>/g)) expect.soft(tag).toMatch(allowed)
    })
  },
)
