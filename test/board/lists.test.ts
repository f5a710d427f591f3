import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serve } from '../http/serve.ts'
import { fillSearchTables } from '../support/fill-search-tables.ts'
import { createRandom } from '../support/random.ts'
import { createRows } from '../support/rows.ts'
import { markupOf } from './support/twin.ts'

const served = await serve()
const rows = createRows(served.db)
const twin = async (path: string) => (await fetch(served.baseUrl + path)).text()

const one = await rows.project()
const other = await rows.project()
for (const [status, number] of [
  ['open', 3],
  ['claimed', 2],
  ['in_review', 1],
  ['done', 4],
] as const)
  for (let nth = 0; nth < number; nth++) {
    const project_id = nth === 0 ? one : other
    const bounty_id = await rows.bountyAt(status, { project_id, tags: nth === 1 ? ['parser'] : [] })
    if (status === 'done')
      await rows.payout({
        project_id,
        status: 'settled',
        submission_id: await rows.submission({ bounty_id }),
      })
  }
const cancelled = await rows.bounty({ project_id: one, title: 'Taken back', status: 'cancelled' })
await rows.bounty({ project_id: other, status: 'cancelled', tags: ['parser'] })
for (let nth = 0; nth < 21; nth++) await rows.bounty({ project_id: other, title: `Easy ${nth}` })
await sql.raw(fillSearchTables).execute(served.db)

const labels = ['Open', 'Claimed', 'In review', 'Paid', 'Cancelled', 'All']

/** The tabs of a page, and how many bounties it says that it lists. */
async function tabsOf(query: string) {
  const text = await twin(`/index.md${query}`)
  const [, statuses = ''] = /^((?:- \[.*\n)+)/m.exec(text) ?? []
  const tabs = [...statuses.matchAll(/^- \[([A-Z][a-z ]+)\]\([^)]*\)(?:: (\d+))?( \(this page\))?$/gm)]
  return {
    counts: Object.fromEntries(tabs.map(([, label, count]) => [label, count && Number(count)])),
    open: tabs.find(([, , , isOpen]) => isOpen)?.[1],
    number: markupOf(text).headings[1],
  }
}

test.each([
  ['', [24, 2, 1, 4, 2, 33], 'Open', '24 bounties'],
  ['?status=open', [24, 2, 1, 4, 2, 33], 'Open', '24 bounties'],
  ['?status=all', [24, 2, 1, 4, 2, 33], 'All', '33 bounties'],
  ['?status=cancelled', [24, 2, 1, 4, 2, 33], 'Cancelled', '2 bounties'],
  ['?status=in_review&offset=20', [24, 2, 1, 4, 2, 33], 'In review', '1 bounty'],
  ['?status=done&sort=reward', [24, 2, 1, 4, 2, 33], 'Paid', '4 bounties'],
  [`?project_id=${one}`, [1, 1, 1, 1, 1, 5], 'Open', '1 bounty'],
  ['?tag=parser&status=claimed', [1, 1, 0, 1, 1, 4], 'Claimed', '1 bounty'],
  ['?tag=parser&status=all', [1, 1, 0, 1, 1, 4], 'All', '4 bounties'],
  ['?min_reward=11', [0, 0, 0, 0, 0, 0], 'Open', '0 bounties'],
  ['?q=easy', [], 'Open', 'More than 20 bounties'],
  ['?q=easy&offset=20', [], 'Open', '21 bounties'],
  ['?q=easy&offset=40&sort=worth', [], 'Open', 'No more bounties'],
])('200 with the tabs of /%s', async (query, counts, open, number) => {
  expect(await tabsOf(query)).toEqual({
    counts: Object.fromEntries(labels.map((label, nth) => [label, counts[nth]])),
    open,
    number,
  })
})

test('cancelled bounties stand among all, at their time and with title and project', async () => {
  const listed = async (query: string) =>
    [...(await twin(`/index.md?${query}`)).matchAll(/\/bounties\/(bnt_\w+)\.md/g)].map(([, id]) => id)
  const newest = served.db.selectFrom('bounties').orderBy('created_at', 'desc').orderBy('id', 'desc')
  const all = (await newest.select('id').execute()).map(({ id }) => id)
  const pages = [await listed('status=all'), await listed('status=all&offset=20')]
  expect(pages).toEqual([all.slice(0, 20), all.slice(20)])
  const page = await twin(`/index.md?status=cancelled&project_id=${one}`)
  expect(page).toContain(`- **[\`Taken back\`](/bounties/${cancelled}.md)** · `)
  expect(page).toContain(`(/projects/${one}.md)`)
})

test.each(['/index.md?tag=parser&', '/projects.md?', '/agents.md?q=a&'])(
  'beyond its end %s leads back to its first page',
  async (path) => {
    const back = path.replace(/[?&]$/, '')
    expect(await twin(`${path}offset=100000`)).toContain(
      `There is nothing here; [back to the first page](${back}).`,
    )
  },
)

test('agents are ranked by approved submissions, then the newest, with their record and that as founders', async () => {
  const { below } = createRandom(7)
  const made = await Promise.all(
    Array.from({ length: 45 }, async (_, nth) => {
      const created_at = new Date(1_700_000_000_000 + Math.floor(nth / 2) * 1000)
      const record = { approved: nth === 44 ? 0 : below(4), rejected: below(3) }
      const id = await rows.agent({ name: `Ranked 100%_${nth}`, created_at })
      const project_id = nth < 2 ? await rows.project({ founder_id: id }) : null
      return { id, created_at, project_id, ...record }
    }),
  )
  for (const { id, ...wanted } of made)
    for (const status of ['approved', 'rejected'] as const)
      for (let nth = 0; nth < wanted[status]; nth++) {
        const bounty_id = await rows.bounty({ project_id: made[nth % 2]?.project_id ?? one })
        await rows.submission({ agent_id: id, bounty_id, status, reviewed_at: new Date() })
      }
  const ranked = made.toSorted(
    (a, b) =>
      b.approved - a.approved || Number(b.created_at) - Number(a.created_at) || (a.id < b.id ? 1 : -1),
  )
  const sum = (of: number[]) => of.reduce((total, one) => total + one, 0)
  /** How many of so many fall to the project with this number, the first of two. */
  const share = (number: number, project: number) => Math.floor((number + 1 - project) / 2)
  const lines: string[] = []
  for (const offset of ['', '&offset=20', '&offset=40'])
    lines.push(...(await twin(`/agents.md?q=RANKED+100%25_${offset}`)).split(/^- (?=\*\*)/m).slice(1))
  expect(lines).toHaveLength(45)
  for (const [nth, { id, approved, rejected, project_id }] of ranked.entries()) {
    const project = made.findIndex((agent) => agent.project_id === project_id)
    const as_founder = (status: 'approved' | 'rejected') => sum(made.map((by) => share(by[status], project)))
    const some = (number: number, what: string) => (number === 0 ? [] : [`${number} ${what}`])
    const reviews = [
      ...some(as_founder('approved'), 'approved'),
      ...some(as_founder('rejected'), 'rejected'),
    ].join(', ')
    const record = [
      ...some(rejected, 'rejected'),
      ...(project_id === null ? [] : [`founder of 1 project: ${reviews}`]),
      'registered',
    ]
    const figure = approved === 0 ? '' : ` · ${approved} approved`
    expect.soft(lines[nth]).toContain(`(/agents/${id}.md)**${figure}  \n  ${record.join(' · ')}`)
  }
})

test('a founder without a payout has three entries on a page and in feeds; the others come first, and all are reached', async () => {
  const founder_id = await rows.agent({ name: 'Crowd' })
  const project_id = await rows.project({ founder_id })
  const tags = ['crowded']
  const [others, crowd]: [string[], string[]] = [[], []]
  for (let nth = 0; nth < 4; nth++) others.push(await rows.bounty({ tags, title: 'Of another' }))
  for (let nth = 0; nth < 150; nth++) crowd.push(await rows.bounty({ project_id, tags, title: 'Crowd' }))
  const listed = async (path: string) => {
    const text = await twin(path)
    const ids = [...text.matchAll(/\/bounties\/(bnt_\w+)/g)].map(([, id]) => id as string)
    return { text, ids: [...new Set(ids)] }
  }
  const first = await listed('/index.md?tag=crowded')
  expect(first.ids).toEqual([...crowd.slice(-3).reverse(), ...others.toReversed()])
  expect(first.text).toContain('Left out here: 147 more of ')
  expect(first.text).toContain(`(/agents/${founder_id}.md)`)
  expect((await listed('/bounties.atom?tag=crowded')).ids).toEqual(first.ids)
  const home = (await listed('/index.md')).ids.filter((id) => crowd.includes(id))
  expect(home).toEqual(crowd.slice(-3).reverse())
  expect((await listed(`/index.md?project_id=${project_id}`)).ids).toHaveLength(20)
  const { bounties } = (await served.api('GET', '/api/bounties?tag=crowded&limit=100')).body
  expect(bounties).toHaveLength(100)

  await rows.bounty({ tags, title: 'Newer' })
  for (let nth = 0; nth < 30; nth++) await rows.bounty({ tags, title: `Old ${nth}`, created_at: new Date(0) })
  const pages = [await listed('/index.md?tag=crowded')]
  const next = /\((\/index\.md\?[^)]*offset=(\d+)[^)]*)\)/.exec(pages[0]?.text ?? '')
  pages.push(await listed(next?.[1] ?? ''))
  expect(next?.[2]).toBe('167')
  expect(pages.map(({ ids }) => ids.length)).toEqual([20, 18])
  expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(38)

  const submission_id = await rows.submission({ bounty_id: crowd[0] as string })
  await rows.payout({ submission_id, status: 'settled' })
  expect((await listed('/index.md?tag=crowded&offset=1')).ids).toEqual(crowd.slice(-20).reverse())
})

test('projects that were proposed more than a day ago are on the page of their founder alone', async () => {
  const founder_id = await rows.agent()
  const propose = (hours: number) =>
    rows.project({ founder_id, name: 'Stale', created_at: new Date(Date.now() - hours * 3_600_000) })
  const made: string[] = []
  for (let nth = 0; nth < 12; nth++) made.push(await propose(25 + nth))
  const fresh = await propose(23)
  const listed = async (path: string) =>
    [...(await twin(path)).matchAll(/\/projects\/(proj_\w+)\.md/g)].map(([, id]) => id)
  for (const query of ['q=stale', 'q=stale&status=proposed'])
    expect(
      (await listed(`/projects.md?${query}`)).filter((id) => [...made, fresh].includes(id ?? '')),
    ).toEqual([fresh])
  const first = `/agents/${founder_id}.md`
  const later = `/agents/${founder_id}.md?after=${made[8]}`
  expect([...(await listed(first)), ...(await listed(later))]).toEqual([fresh, ...made])
  const { projects } = (await served.api('GET', '/api/projects?q=stale')).body
  expect(projects).toHaveLength(13)
})
