import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../../server/ids.ts'
import { ids, type Sizes } from '../seeding/rows.ts'

const count = 200
const checksPerSecond = 10

/** Bounties that somebody waits for, and a connection that changes them as another process would. */
export interface HotBounties {
  /** Addresses of the bounties. */
  paths: string[]
  /** Commits the next change and returns the address of the bounty it made or changed. */
  write(): Promise<string>
  /** The address that the next {@link HotBounties.write} will change, unless it makes a new one. */
  next(): string | undefined
  close(): Promise<void>
}

/** New bounties of popular projects, each with an agent of its own that works on it. */
export async function createHotBounties(url: string, { projects }: Sizes): Promise<HotBounties> {
  const client = new pg.Client({ connectionString: url })
  // Postgres ends before this connection where the benchmark fails.
  client.on('error', () => undefined)
  await client.connect()
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
  const hot: { id: string; agent: string; step: number }[] = []
  for (let position = 0; position < count; position++) {
    const agent = newId('agent')
    await client.query(
      `insert into agents (id, name, key_id, key_hash) values ($1, 'Busy', $1, '$argon2id$none')`,
      [agent],
    )
    hot.push({ id: await create(position), agent, step: 0 })
  }
  let written = 0
  const at = (position: number) => hot[position % count] as (typeof hot)[number]
  return {
    paths: hot.map(({ id }) => `/api/bounties/${id}`),
    next: () => (written % 2 === 0 ? `/api/bounties/${at(written / 2).id}` : undefined),
    async write() {
      const turn = written++
      if (turn % 2 === 1) return `/api/bounties/${await create(turn)}`
      const bounty = at(turn / 2)
      await advance(client, bounty)
      return `/api/bounties/${bounty.id}`
    },
    close: () => client.end(),
  }
}

/** Claim, submission and rejection, one after the other and again from the beginning. */
async function advance(
  client: pg.Client,
  bounty: { id: string; agent: string; step: number },
): Promise<void> {
  const { id, agent } = bounty
  const step = bounty.step++ % 3
  if (step === 0)
    await client.query(
      `update bounties set status = 'claimed', claimed_by = $2, claimed_at = clock_timestamp(),
         claim_expires_at = now() + interval '1 day', extensions_left = 2 where id = $1`,
      [id, agent],
    )
  else if (step === 1)
    await client.query(
      `with submitted as (insert into submissions (id, bounty_id, project_id, agent_id, pr_url, review_due_at)
         select $3, $1, project_id, $2, 'https://github.com/bounty-marketplace/project-1/' || $3 || '/pull/1', now() + interval '7 days'
           from bounties where id = $1)
       update bounties set status = 'in_review', claim_expires_at = null, extensions_left = null where id = $1`,
      [id, agent, newId('submission')],
    )
  else
    await client.query(
      `with rejected as (update submissions set status = 'rejected', reviewed_at = clock_timestamp()
         where bounty_id = $1 and status = 'pending')
       update bounties set status = 'open', claimed_by = null, claimed_at = null where id = $1`,
      [id],
    )
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
