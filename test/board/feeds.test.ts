import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { toAtom } from '../../server/board/atom.ts'
import { twinOf } from '../../server/board/markdown.ts'
import { serve } from '../http/serve.ts'
import { createRows } from '../support/rows.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { rawGet } from './support/raw-get.ts'

const publicUrl = 'https://market.example'
const served = await serve({ settings: { PUBLIC_URL: publicUrl } })
const { db } = served
const rows = createRows(db)
const get = (path: string, headers?: Record<string, string>) => rawGet(served.baseUrl, path, { headers })

interface Parsed {
  id: string
  title: string
  updated: string
  links: Record<string, string>
  entries: { id: string; title: string; updated: string; link: string; content: string; tags: string[] }[]
}

/** What a parser of XML that knows nothing of this service reads, and how often it meets each element. */
const parser = `import json, sys, xml.etree.ElementTree as tree
atom = '{http://www.w3.org/2005/Atom}'
feed = tree.fromstring(sys.stdin.buffer.read())
assert feed.tag == atom + 'feed' and feed.find(atom + 'author/' + atom + 'name').text
known = {'feed', 'id', 'title', 'updated', 'generator', 'author', 'name', 'link', 'entry', 'content', 'category', 'published'}
assert {node.tag for node in feed.iter()} <= {atom + name for name in known}, [node.tag for node in feed.iter()]
text = lambda node, name: node.find(atom + name).text
print(json.dumps({
    **{name: text(feed, name) for name in ('id', 'title', 'updated')},
    'links': {link.get('rel'): link.get('href') for link in feed.findall(atom + 'link')},
    'entries': [{**{name: text(entry, name) for name in ('id', 'title', 'updated', 'content')},
                 'link': entry.find(atom + 'link').get('href'),
                 'tags': [tag.get('term') for tag in entry.findall(atom + 'category')]} for entry in feed.findall(atom + 'entry')]}))`

function parse(xml: string): Parsed {
  const { stdout, stderr } = spawnSync('python3', ['-c', parser], { input: xml, encoding: 'utf8' })
  if (stderr) throw new Error(`${stderr}\n${xml}`)
  return JSON.parse(stdout)
}
const read = async (path: string) => parse((await get(path)).body.toString())

const founder_id = await rows.agent({ name: 'Ada & <Co>' })
const project = await rows.project({ founder_id, name: 'A & <b>', token_symbol: 'CALC' })
const other = await rows.project({ founder_id })
let second = 0
const offer = (fields: Parameters<typeof rows.bounty>[0] = {}) =>
  rows.bounty({ project_id: project, created_at: new Date(1_700_000_000_000 + ++second * 1000), ...fields })
const plain = await offer({
  title: 'Ordinals',
  description: 'Accept 2026-365.\nWith tests.',
  reward_amount: 1500,
})
const tagged = await offer({ tags: ['parser', 'docs'] })
const elsewhere = await offer({ project_id: other, tags: ['parser'] })
const cancelled = await offer({ status: 'cancelled', tags: ['parser'] })
const claimed_by = await rows.agent()
const done = await offer({ status: 'done', claimed_by, claimed_at: new Date(), title: 'Weeks <1>' })

async function payout(status: 'settled' | 'running', project_id = project, bounty_id = done) {
  const submission_id = await rows.submission({ bounty_id, agent_id: claimed_by })
  return rows.payout({
    submission_id,
    project_id,
    agent_id: claimed_by,
    status,
    amount: String(475n * 10n ** 18n),
    ...(status === 'settled' && { settled_at: new Date(1_700_001_000_001), tx_hash: `0x${'5'.repeat(64)}` }),
  })
}
const paid = await payout('settled')
const running = { project_id: other, status: 'done', claimed_by, claimed_at: new Date() } as const
await payout('running', other, await offer(running))

describe('as a parser of XML reads them', { tags: 'python' }, () => {
  test('open bounties, newest first, without those that are claimed, done or cancelled', async () => {
    const feed = await read('/bounties.atom')
    expect(feed).toMatchObject({
      id: `${publicUrl}/bounties.atom`,
      title: 'Open bounties',
      updated: '2023-11-14T22:13:23.000Z',
      links: { self: `${publicUrl}/bounties.atom`, alternate: `${publicUrl}/?status=open` },
    })
    expect(feed.entries.map(({ id }) => id)).toEqual(
      [elsewhere, tagged, plain].map((id) => `${publicUrl}/bounties/${id}`),
    )
    expect(feed.entries[2]).toEqual({
      id: `${publicUrl}/bounties/${plain}`,
      link: `${publicUrl}/bounties/${plain}`,
      title: 'Ordinals',
      updated: '2023-11-14T22:13:21.000Z',
      content:
        '<p>1,500 CALC for work on A &#38; &#60;b&#62; (easy)</p><p>Accept 2026-365.<br>With tests.</p>',
      tags: [],
    })
    expect(feed.entries[1]?.tags).toEqual(['parser', 'docs'])
  })

  test('those of a project and with a tag', async () => {
    const of = async (query: string) =>
      (await read(`/bounties.atom?${query}`)).entries.map(({ link }) => link.split('/').at(-1))
    expect(await of(`project_id=${project}`)).toEqual([tagged, plain])
    expect(await of('tag=parser')).toEqual([elsewhere, tagged])
    const both = await read(`/bounties.atom?project_id=${project}&tag=parser`)
    expect(both.title).toBe('Open bounties of A & <b> tagged parser')
    expect(both.links.self).toBe(`${publicUrl}/bounties.atom?project_id=${project}&tag=parser`)
    expect(both.entries).toHaveLength(1)
    expect(await read('/bounties.atom?tag=none')).toMatchObject({
      entries: [],
      updated: '1970-01-01T00:00:00.000Z',
    })
  })

  test('a bounty that was changed, as of its newest revision', async () => {
    const project_id = await rows.project({ founder_id })
    const bounty_id = await offer({ project_id, revision: 2 })
    const terms = { title: 'A', description: 'B', difficulty: 'easy', reward_amount: 1 } as const
    await db
      .insertInto('bounty_revisions')
      .values(
        [1, 2].map((revision) => ({
          bounty_id,
          revision,
          ...terms,
          tags: [],
          created_at: new Date(1_800_000_000_000 + revision),
        })),
      )
      .execute()
    const updated = '2027-01-15T08:00:00.002Z'
    expect(await read(`/bounties.atom?project_id=${project_id}`)).toMatchObject({
      updated,
      entries: [{ updated }],
    })
    await db.deleteFrom('bounty_revisions').where('bounty_id', '=', bounty_id).execute()
  })

  test('payouts that are confirmed', async () => {
    const { entries } = await read('/payouts.atom')
    expect(entries).toEqual([
      {
        id: `${publicUrl}/bounties/${done}#${paid}`,
        link: `${publicUrl}/bounties/${done}#${paid}`,
        title: '475 CALC for Weeks &#60;1&#62;',
        updated: '2023-11-14T22:30:00.001Z',
        content: `<p>Paid to Ada by A &#38; &#60;b&#62;. Transaction: 0x${'5'.repeat(64)}</p>`,
        tags: [],
      },
    ])
    expect((await read(`/payouts.atom?project_id=${other}`)).entries).toEqual([])
  })

  test('texts of others stay texts, whatever they hold', () => {
    const ends = ']]>]]></title><entry/>]]>'
    const texts = [
      ...Object.values(hostileTexts),
      ends,
      '&lt;script&gt;&amp;',
      'a\u0001\ufffe\uffff\u202eb',
      '<![CDATA[',
    ]
    const entries = texts.map((text, nth) => ({
      page: `/bounties/${nth}`,
      title: text,
      paragraphs: [text],
      at: '2026-01-31T12:00:00.000Z',
    }))
    for (const title of [ends, '"<b>&', 'a\u0001b']) {
      const feed = parse(toAtom({ title, path: '/bounties.atom', page: '/bounties', entries }, publicUrl))
      expect(feed.title).toBe(title.replace('\u0001', '\ufffd'))
      expect(feed.entries).toHaveLength(texts.length)
      for (const { title, content } of feed.entries)
        expect(title + content.replace(/<\/?p>|<br>/g, '')).not.toMatch(/[<>]/)
      expect(feed.entries.at(-3)?.title).toBe('&#38;lt;script&#38;gt;&#38;amp;')
    }
  })
})

test('at most fifty entries', async () => {
  for (let count = 0; count < 60; count++) await offer({ tags: ['many'] })
  const { body } = await get('/bounties.atom')
  expect(body.toString().match(/<entry>/g)).toHaveLength(50)
  await db
    .deleteFrom('bounties')
    .where('status', '=', 'open')
    .where('id', 'not in', [plain, tagged, elsewhere])
    .execute()
})

test('200 with a type and an ETag, 304 for those who have it, and another one after a change', async () => {
  const first = await get('/bounties.atom')
  expect(first.headers).toMatchObject({
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': 'no-cache',
  })
  const has = { 'if-none-match': String(first.headers.etag) }
  expect((await get('/bounties.atom', has)).status).toBe(304)
  expect((await get('/bounties.atom?utm_source=x', has)).status).toBe(304)
  await offer({ title: 'Later' })
  expect((await get('/bounties.atom', has)).body.toString()).toContain('Later')
  expect((await get('/bounties.atom')).body.toString()).not.toContain(cancelled)
})

test('404 for the feed of an unknown project, 400 for what is no tag', async () => {
  for (const [path, status] of [
    ['/bounties.atom?project_id=proj_00000000000000000000', 404],
    ['/payouts.atom?project_id=proj_00000000000000000000', 404],
    ['/bounties.atom?tag=No', 400],
  ] as const)
    expect((await get(path)).status, path).toBe(status)
})

test('without a configured address they have that of the request, and never a strange one', async () => {
  const local = await serve()
  const ask = (host: string) => rawGet(local.baseUrl, '/payouts.atom', { headers: { host } })
  expect((await ask('board.example:8080')).body.toString()).toContain(
    '<id>http://board.example:8080/payouts.atom</id>',
  )
  expect((await ask('localhost')).body.toString()).toContain('<id>http://localhost/payouts.atom</id>')
  await local.close()
})

test.each([
  ['/', ['/bounties.atom', '/payouts.atom']],
  ['/?status=done&tag=parser', ['/bounties.atom?tag=parser', '/payouts.atom']],
  [`/?project_id=${project}&sort=reward`, [`/bounties.atom?project_id=${project}`, '/payouts.atom']],
  [`/projects/${project}`, [`/bounties.atom?project_id=${project}`, `/payouts.atom?project_id=${project}`]],
  [`/payments?agent_id=${claimed_by}`, [`/payouts.atom?agent_id=${claimed_by}`]],
  [`/bounties/${plain}`, []],
])('%s names the feeds of its lists, and so does its Markdown', async (path, feeds) => {
  const page = (await get(path, { accept: 'text/html' })).body.toString()
  const links = [...page.matchAll(/<link rel="alternate" type="application\/atom\+xml" href="([^"]*)"/g)]
  expect(links.map(([, link]) => link?.replaceAll('&amp;', '&'))).toEqual(feeds)
  const shown = [...page.matchAll(/<a href="([^"]*)">Follow /g)].map(([, link]) =>
    link?.replaceAll('&amp;', '&'),
  )
  expect(shown).toEqual(feeds)
  const [file = '', query] = path.split('?')
  const twin = (await get(`${file === '/' ? '/index' : file}.md${query ? `?${query}` : ''}`)).body.toString()
  expect([...twin.matchAll(/as Atom\]\(([^)]*)\)/g)].map(([, link]) => link)).toEqual(feeds)
})

test('tags are links to the list that has them, on the list, on the bounty and in both twins', async () => {
  for (const path of ['/', `/bounties/${tagged}`]) {
    const page = (await get(path, { accept: 'text/html' })).body.toString()
    for (const tag of ['parser', 'docs']) {
      expect(page).toContain(`<a href="/?tag=${tag}"><span class="tag">${tag}</span></a>`)
      expect((await get(twinOf(path))).body.toString()).toContain(`[${tag}](/index.md?tag=${tag})`)
    }
  }
  const narrow = (await get('/index.md?tag=docs&min_reward=5&sort=reward')).body.toString()
  expect(narrow).toContain(tagged)
  expect(narrow).not.toContain(elsewhere)
})
