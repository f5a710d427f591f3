import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../../server/ids.ts'
import { connect } from '../harness/postgres.ts'
import { ids, type Sizes } from '../seeding/rows.ts'

const count = 200
const checksPerSecond = 10

export type HotBounties = Awaited<ReturnType<typeof createHotBounties>>

/** New bounties of popular projects that somebody waits for, and a connection that changes them as another process would. */
export async function createHotBounties(url: string, { projects }: Sizes) {
  const client = await connect(url)
  const popular = (position: number) => ids.project(position % Math.min(projects, 10))
  const create = async (position: number) => {
    const id = newId('bounty')
    await client.query(
      `with made as (insert into bounties (id, project_id, title, description, reward_amount, difficulty)
         values ($1, $2, $3, 'Written while others look.', 100, 'easy'))
       insert into activity (id, type, project_id, bounty_id) values ($4, 'bounty.created', $2, $1)`,
      [id, popular(position), `Bounty ${position}`, newId('activity')],
    )
    return id
  }
  const hot = Array.from({ length: count }, () => ({ id: '', agent: newId('agent') }))
  await client.query(
    `insert into agents (id, name, key_id, key_hash)
     select id, 'Busy', id, '$argon2id$none' from unnest($1::text[]) as made (id)`,
    [hot.map(({ agent }) => agent)],
  )
  for (const [position, each] of hot.entries()) each.id = await create(position)
  let written = 0
  const at = (turn: number) => hot[(turn / 2) % count] as (typeof hot)[number]
  return {
    paths: hot.map(({ id }) => `/api/bounties/${id}`),
    /** The address that the next write will change, unless it makes a new bounty. */
    next: () => (written % 2 === 0 ? `/api/bounties/${at(written).id}` : undefined),
    /** Commits the next change: a claim or its end, and every other time a new bounty. */
    async write() {
      const turn = written++
      if (turn % 2 === 1) return void (await create(turn))
      const { id, agent } = at(turn)
      await client.query(
        `update bounties set status = next.status, claimed_by = next.agent, claimed_at = next.at,
           claim_expires_at = next.expires, extensions_left = next.extensions
         from (values ('open', 'claimed', $2::text, clock_timestamp(), now() + interval '1 day', 2),
                      ('claimed', 'open', null, null, null, null)) as next (was, status, agent, at, expires, extensions)
         where id = $1 and bounties.status = next.was`,
        [id, agent],
      )
    },
    close: () => client.end(),
  }
}

/**
 * Writes at a steady pace until stopped. Some ten times a second it asks for the bounty before and after the change,
 * with the ETag from before.
 *
 * @returns stops it and resolves with how many of those responses were older than the commit
 */
export function startWriter(
  hot: HotBounties,
  baseUrl: string,
  writesPerSecond: number,
): () => Promise<number> {
  if (writesPerSecond === 0) return async () => 0
  let running = true
  let stale = 0
  const every = Math.ceil(writesPerSecond / checksPerSecond)
  const loop = async () => {
    const started = performance.now()
    for (let turn = 0; running; turn++) {
      const path = turn % every === 0 ? hot.next() : undefined
      const before = path === undefined ? undefined : await fetch(baseUrl + path)
      const etag = before?.headers.get('etag')
      await before?.arrayBuffer()
      await hot.write()
      if (path && etag) {
        const after = await fetch(baseUrl + path, { headers: { 'if-none-match': etag } })
        await after.arrayBuffer()
        if (after.status !== 200) stale++
      }
      await delay(Math.max(0, started + ((turn + 1) * 1000) / writesPerSecond - performance.now()))
    }
  }
  const done = loop()
  return async () => {
    running = false
    await done
    return stale
  }
}
