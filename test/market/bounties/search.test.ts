import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { serve } from '../../http/serve.ts'
import { fillSearchTables } from '../../support/fill-search-tables.ts'

/* 1,500 bounties, more than the walk through the newest reads for short pages: a hundred for each row of the page. */
const words = {
  always: 'true',
  frequent: 'g % 3 = 0',
  seldom: 'g % 120 = 0',
  rare: 'g % 400 = 0',
  newest: 'g > 1490',
  oldest: 'g <= 5',
  'two words': 'g % 90 = 7',
  ж: 'g % 350 = 0',
  жук: 'g % 700 = 3',
  '100%': 'g % 500 = 9',
}
const served = await serve()
await sql
  .raw(`
  insert into agents (id, name, key_id, key_hash) select 'agent_' || g, 'A', 'k' || g, '$argon2id$x' from generate_series(0, 1500) g;
  insert into projects (id, name, description, founder_id, token_symbol, token_supply)
    select 'proj_' || g, 'P', 'D', 'agent_0', 'T', 1000 from generate_series(0, 2) g;
  insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at, created_at,
      claim_expires_at, extensions_left)
    select 'bnt_' || g, case when g <= 20 then 'proj_2' else 'proj_' || g % 2 end,
      concat_ws(' ', 'Task', ${titles()}), concat_ws(' ', 'Work', ${titles(true)}), 10,
      case when g % 7 = 0 then 'hard' else 'easy' end,
      case when g % 5 = 0 then 'claimed' else 'open' end, case when g % 5 = 0 then 'agent_' || g end,
      case when g % 5 = 0 then now() end, timestamptz '2026-01-01' + g / 2 * interval '1 minute',
      case when g % 5 = 0 then now() + interval '1 day' end, case when g % 5 = 0 then 2 end
    from generate_series(1, 1500) g`)
  .execute(served.db)
await sql.raw(fillSearchTables).execute(served.db)

/** The words of a row: of even ones in the title, of odd ones in the description. */
function titles(isOdd = false): string {
  return Object.entries(words)
    .map(([word, condition]) => `case when ${condition} and (g % 2 = 1) = ${isOdd} then '${word}' end`)
    .join(', ')
}

/** The page that Postgres finds by reading every row. */
async function expected(q: string, { limit, offset, ...filter }: Record<string, string>): Promise<string[]> {
  const conditions = Object.entries(filter).map(([name, value]) => `${name} = '${value}'`)
  const { rows } = await sql
    .raw<{ id: string }>(
      `select id from bounties where ${['true', ...conditions].join(' and ')} and (title ilike '%${q}%' or description ilike '%${q}%')
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
    )
    .execute(served.db)
  return rows.map(({ id }) => id)
}

const filters: Record<string, string>[] = [
  {},
  { status: 'open' },
  { status: 'claimed' },
  { project_id: 'proj_1' },
  { project_id: 'proj_2' },
  { difficulty: 'hard', status: 'claimed' },
]
const pages = [
  { limit: '1', offset: '0' },
  { limit: '2', offset: '3' },
  { limit: '20', offset: '0' },
  { limit: '5', offset: '298' },
]

/** Ends a title and begins a description, so no text contains it. */
const acrossTexts = 'task work'

describe.each([...Object.keys(words), 'zq', 'nowhere', acrossTexts])('q=%s', (q) => {
  test.each(filters)('200 with what has it and no other, newest first, of %j', async (filter) => {
    for (const page of pages) {
      const query = new URLSearchParams({ q, ...filter, ...page })
      const { status, body } = await served.api('GET', `/api/bounties?${query}`)
      expect(status).toBe(200)
      const found = body.bounties.map(({ id }: { id: string }) => id)
      expect(found, String(query)).toEqual(await expected(q, { ...filter, ...page }))
    }
  })
})

test('200 with no more than a search may read: the newest, or all where the index finds few enough', async () => {
  const most = 3000
  await sql
    .raw(`
    insert into bounties (id, project_id, title, description, reward_amount, difficulty, created_at)
      select 'bnt_deep' || g, 'proj_2', 'Deep ' || case when g = 1 then 'fathoms ~~' else 'sea' end, 'Work', 10, 'hard',
        timestamptz '2027-01-01' + g * interval '1 minute' from generate_series(1, ${most + 500}) g;
    insert into bounty_texts (id, created_at, title_folded, description_folded)
      select id, created_at, lower(title), lower(description) from bounties where id like 'bnt_deep%';`)
    .execute(served.db)
  const found = async (q: string, offset: number, more = {}) => {
    const query = new URLSearchParams({ q, limit: '100', offset: String(offset), ...more })
    const { body } = await served.api('GET', `/api/bounties?${query}`)
    return body.bounties.map(({ id }: { id: string }) => id)
  }
  expect((await found('deep', most - 10)).length).toBe(10)
  expect(await found('deep', most)).toEqual([])
  expect(await found('deep', 2_000_000_000)).toEqual([])
  expect(await found('fathoms', 0)).toEqual(['bnt_deep1'])
  expect(await found('~~', 0)).toEqual([])
  expect(await found('always', 1400)).toHaveLength(100)
  expect(await found('~~', 0, { project_id: 'proj_1' })).toEqual([])
  const page = async (query: string) => (await fetch(`${served.baseUrl}/bounties.md?${query}`)).text()
  const end = 'A search ends here. It reads the newest 3,000, and finds a rarer word in all of them.'
  expect(await page(`q=deep&project_id=proj_2&offset=${most - 20}`)).toContain(end)
  expect(await page(`q=deep&offset=${most}`)).toContain(end)
  expect(await page('q=deep')).not.toContain(end)
})
