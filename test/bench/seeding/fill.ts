import type pg from 'pg'
import { fillSearchTables } from '../../support/fill-search-tables.ts'
import { historySeconds, ids, type SeedBounty, type Sizes, seedBounties, seedProjects } from './rows.ts'

const batchRows = 20_000

/** Columns of a table with their types, in the order of the values. */
type Columns = Record<string, string>

const bountyColumns: Columns = {
  id: 'text',
  project_id: 'text',
  title: 'text',
  description: 'text',
  reward_amount: 'bigint',
  difficulty: 'text',
  status: 'text',
  claimed_by: 'text',
  claimed_at: 'timestamptz',
  created_at: 'timestamptz',
  claim_expires_at: 'timestamptz',
  extensions_left: 'smallint',
}
const submissionColumns: Columns = {
  id: 'text',
  bounty_id: 'text',
  project_id: 'text',
  agent_id: 'text',
  pr_url: 'text',
  status: 'text',
  created_at: 'timestamptz',
  reviewed_at: 'timestamptz',
  review_due_at: 'timestamptz',
}
const activityColumns: Columns = {
  id: 'text',
  type: 'text',
  agent_id: 'text',
  project_id: 'text',
  bounty_id: 'text',
  submission_id: 'text',
  data: 'jsonb',
  created_at: 'timestamptz',
  position: 'bigint',
}

/**
 * Fills an empty, migrated database with a marketplace: agents, active projects, bounties in every state with their
 * submissions and the feed, the counters that triggers would have kept, and the texts for searches. Indexes are made at
 * the end, which takes a fraction of the time. Needs the rights of a superuser, because triggers and foreign keys are left aside meanwhile.
 */
export async function fill(client: pg.ClientBase, sizes: Sizes, log: (line: string) => void): Promise<void> {
  await client.query('set session_replication_role = replica; set statement_timeout = 0')
  await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
  const indexes = await dropIndexes(client)
  await insertAgents(client, sizes)
  await insertProjects(client, sizes)
  await insertBounties(client, sizes, log)
  await count(client)
  await client.query(fillSearchTables)
  for (const { name, definition } of indexes) {
    const started = performance.now()
    await client.query(definition)
    const seconds = (performance.now() - started) / 1000
    if (seconds > 5) log(`  index ${name} (${seconds.toFixed(0)} s)`)
  }
  await client.query('vacuum analyze')
  await client.query('checkpoint; set session_replication_role = default')
}

/** Drops every index that no constraint stands on, and tells how to make it again. */
async function dropIndexes(client: pg.ClientBase): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
        and indrelid::regclass::text = any (array['bounties', 'submissions', 'activity', 'projects', 'bounty_texts'])
        and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

async function insertAgents(client: pg.ClientBase, { agents }: Sizes): Promise<void> {
  const rows = Array.from({ length: agents }, (_, position) => {
    const id = ids.agent(position)
    return [id, `Agent ${position}`, `0x${position.toString(16).padStart(40, '0')}`, `seed${position}`]
  })
  for (let from = 0; from < rows.length; from += batchRows)
    await client.query(
      `insert into agents (id, name, wallet_address, wallet_type, key_id, key_hash)
       select id, name, wallet, 'external', key, '$argon2id$none'
         from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as seed (id, name, wallet, key)`,
      transpose(rows.slice(from, from + batchRows), 4),
    )
}

async function insertProjects(client: pg.ClientBase, sizes: Sizes): Promise<void> {
  const rows = [...seedProjects(sizes)].map(({ position, name, description }) => {
    const hex = (position + 1).toString(16)
    return [
      ids.project(position),
      name,
      description,
      ids.agent(position % sizes.agents),
      `0x1${hex.padStart(39, '0')}`,
      `0x2${hex.padStart(39, '0')}`,
      `https://github.com/bounty-marketplace/project-${position}`,
      String(position),
    ]
  })
  await client.query(
    `insert into projects (id, name, description, status, founder_id, token_symbol, token_supply, founder_wallet,
                           token_address, curve_address, repo_url, created_at)
     select id, name, description, 'active', founder, 'SEED', 1000000000000, '0x' || repeat('0', 40), token, curve,
            repo, date_trunc('second', now()) - make_interval(secs => ${historySeconds} - position::int)
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
         as seed (id, name, description, founder, token, curve, repo, position)`,
    transpose(rows, 8),
  )
}

async function insertBounties(
  client: pg.ClientBase,
  sizes: Sizes,
  log: (line: string) => void,
): Promise<void> {
  const batch = createBatch(Date.now())
  // The next rows are made while Postgres stores these.
  let storing = Promise.resolve()
  const flush = async () => {
    const { bounties, submissions, activity } = batch.take()
    await storing
    storing = store(client, [
      ['bounties', bountyColumns, bounties],
      ['submissions', submissionColumns, submissions],
      ['activity', activityColumns, activity],
    ])
    // Awaited before the next batch is stored.
    storing.catch(() => undefined)
  }
  for (const bounty of seedBounties(sizes)) {
    batch.add(bounty)
    if ((bounty.position + 1) % batchRows !== 0) continue
    await flush()
    if ((bounty.position + 1) % 200_000 === 0) log(`  ${bounty.position + 1} bounties`)
  }
  await flush()
  await storing
}

async function store(client: pg.ClientBase, tables: [string, Columns, unknown[][]][]): Promise<void> {
  for (const [table, columns, rows] of tables) await insert(client, table, columns, rows)
}

/** Collects the rows of bounties; `now` is the end of the seeded history, in ms. */
function createBatch(now: number) {
  let bounties: unknown[][] = []
  let submissions: unknown[][] = []
  let activity: unknown[][] = []
  const activeClaims = new Set<number>()
  let submitted = 0
  // The seeded claims do not lapse while a benchmark runs.
  const lapses = new Date(now + historySeconds * 1000).toISOString()
  let entries = 0

  function add(bounty: SeedBounty): void {
    const id = ids.bounty(bounty.position)
    const project = ids.project(bounty.project)
    const at = (offset: number) => new Date(now - bounty.age * 1000 + offset * 60_000).toISOString()
    const addActivity = (type: string, agent: string | null, submission: string | null, minutes: number) => {
      const data = type === 'submission.approved' ? payment(bounty.reward) : '{}'
      const entry = ids.activity(entries++)
      activity.push([entry, type, agent, project, id, submission, data, at(minutes), entries])
    }
    const submit = (agent: string, status: string, minutes: number) => {
      const submission = ids.submission(submitted++)
      const url = `https://github.com/bounty-marketplace/project-${bounty.project}/pull/${submitted}`
      const reviewed = status === 'pending' ? null : at(minutes + 30)
      const due = at(minutes + 7 * 24 * 60)
      submissions.push([submission, id, project, agent, url, status, at(minutes), reviewed, due])
      addActivity('submission.created', agent, submission, minutes)
      if (reviewed) addActivity(`submission.${status}`, null, submission, minutes + 30)
    }
    addActivity('bounty.created', null, null, 0)
    for (let round = 0; round < bounty.rejections; round++)
      submit(ids.agent((bounty.position * 7 + round) % 500), 'rejected', 60 * (round + 1))
    const { status, agent } = settle(bounty)
    const claimant = agent === undefined ? null : ids.agent(agent)
    if (claimant) addActivity('bounty.claimed', claimant, null, 300)
    if (claimant && (status === 'done' || status === 'in_review'))
      submit(claimant, status === 'done' ? 'approved' : 'pending', 400)
    const { title, description, reward, difficulty } = bounty
    const claimedAt = claimant && at(300)
    const [expiresAt, extensions] = status === 'claimed' ? [lapses, 2] : [null, null]
    const work = [id, project, title, description, reward, difficulty]
    bounties.push([...work, status, claimant, claimedAt, at(0), expiresAt, extensions])
  }

  /** An agent that has a claim on the project already has finished this one. */
  function settle({ status, agent, project }: SeedBounty) {
    if ((status !== 'claimed' && status !== 'in_review') || agent === undefined) return { status, agent }
    const claim = project * 100_000 + agent
    if (activeClaims.has(claim)) return { status: 'done' as const, agent }
    activeClaims.add(claim)
    return { status, agent }
  }

  return {
    add,
    /** The rows collected since the last time. */
    take() {
      const taken = { bounties, submissions, activity }
      bounties = []
      submissions = []
      activity = []
      return taken
    },
  }
}

/** The feed's data on a payment of `reward` whole tokens with a fee of 5 %. */
function payment(reward: number): string {
  const fee = reward / 20
  const hash = `0x${'5c'.repeat(32)}`
  return JSON.stringify({
    contributor_tx_hash: hash,
    platform_fee_tx_hash: hash,
    net: String(reward - fee),
    fee: String(fee),
    accepted_by: 'founder',
  })
}

async function insert(
  client: pg.ClientBase,
  table: string,
  columns: Columns,
  rows: unknown[][],
): Promise<void> {
  if (rows.length === 0) return
  // A build to compare with, and an upgrade, begin with an older schema.
  const { rows: present } = await client.query<{ name: string }>(
    'select column_name as name from information_schema.columns where table_name = $1',
    [table],
  )
  const known = new Set(present.map(({ name }) => name))
  const kept = Object.entries(columns).flatMap(([name, type], index) =>
    known.has(name) ? [{ name, type, index }] : [],
  )
  const arrays = kept.map(({ type }, index) => `$${index + 1}::${type}[]`)
  await client.query(
    `insert into ${table} (${kept.map(({ name }) => name).join(', ')}) select * from unnest(${arrays.join(', ')})`,
    kept.map(({ index }) => rows.map((row) => row[index])),
  )
}

function transpose(rows: unknown[][], columns: number): unknown[][] {
  return Array.from({ length: columns }, (_, column) => rows.map((row) => row[column]))
}

/** Brings the counters that triggers keep up to date. */
async function count(client: pg.ClientBase): Promise<void> {
  await client.query(`
    update projects set committed = sums.reward
      from (select project_id, sum(reward_amount) as reward from bounties where status <> 'done' group by project_id) sums
     where projects.id = sums.project_id`)
  const of = (status: string) => `(select count(*) from bounties where status = '${status}')`
  await client.query(`
    update statistics set
      agents = (select count(*) from agents), projects_active = (select count(*) from projects),
      bounties_open = ${of('open')}, bounties_claimed = ${of('claimed')}, bounties_in_review = ${of('in_review')},
      bounties_done = ${of('done')}, submissions = (select count(*) from submissions),
      rewards_paid = (select coalesce(sum(reward_amount), 0) from bounties where status = 'done')
     where shard = 0`)
}
