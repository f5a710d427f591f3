import type pg from 'pg'
import { fillSearchTables } from '../../support/fill-search-tables.ts'
import { historySeconds, ids, type SeedBounty, type Sizes, seedBounties, seedProjects } from './rows.ts'

const batchRows = 20_000

/** Values by column. */
type Row = Record<string, unknown>

/**
 * Fills an empty, migrated database with a marketplace: agents, active projects, bounties in every state with their
 * submissions and the feed, the counters that triggers would have kept, and the texts for searches. Indexes are made at
 * the end, which takes a fraction of the time. Needs the rights of a superuser, because triggers and foreign keys are left aside meanwhile.
 */
export async function fill(client: pg.ClientBase, sizes: Sizes, log: (line: string) => void): Promise<void> {
  await client.query('set session_replication_role = replica; set statement_timeout = 0')
  await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
  const indexes = await dropIndexes(client)
  await insert(client, 'agents', agentRows(sizes))
  await insert(client, 'projects', projectRows(sizes))
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

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

const agentRows = ({ agents }: Sizes): Row[] =>
  Array.from({ length: agents }, (_, position) => ({
    id: ids.agent(position),
    name: `Agent ${position}`,
    wallet_address: `0x${hex(position, 40)}`,
    wallet_type: 'external',
    key_id: `seed${position}`,
    key_hash: '$argon2id$none',
  }))

function projectRows(sizes: Sizes): Row[] {
  const begin = Math.floor(Date.now() / 1000) - historySeconds
  return [...seedProjects(sizes)].map(({ position, name, description }) => ({
    id: ids.project(position),
    name,
    description,
    status: 'active',
    founder_id: ids.agent(position % sizes.agents),
    token_symbol: 'SEED',
    token_supply: 1_000_000_000_000,
    founder_wallet: `0x${hex(0, 40)}`,
    token_address: `0x1${hex(position + 1, 39)}`,
    curve_address: `0x2${hex(position + 1, 39)}`,
    repo_url: `https://github.com/bounty-marketplace/project-${position}`,
    created_at: new Date((begin + position) * 1000),
  }))
}

async function insertBounties(
  client: pg.ClientBase,
  sizes: Sizes,
  log: (line: string) => void,
): Promise<void> {
  const { add, tables } = createBatch(Date.now())
  const flush = async () => {
    for (const [table, rows] of Object.entries(tables)) await insert(client, table, rows.splice(0))
  }
  for (const bounty of seedBounties(sizes)) {
    add(bounty)
    if ((bounty.position + 1) % batchRows === 0) await flush()
    if ((bounty.position + 1) % 200_000 === 0) log(`  ${bounty.position + 1} bounties`)
  }
  await flush()
}

/** Collects the rows of bounties; `now` is the end of the seeded history, in ms. */
function createBatch(now: number) {
  const tables = { bounties: [] as Row[], submissions: [] as Row[], activity: [] as Row[] }
  const activeClaims = new Set<number>()
  let submitted = 0
  let entries = 0

  function add(bounty: SeedBounty): void {
    const { title, description, difficulty } = bounty
    const work = { project_id: ids.project(bounty.project), bounty_id: ids.bounty(bounty.position) }
    const at = (offset: number) => new Date(now - bounty.age * 1000 + offset * 60_000)
    const addActivity = (
      type: string,
      agent_id: string | null,
      submission_id: string | null,
      minutes: number,
    ) => {
      const data = type === 'submission.approved' ? payment(bounty.reward) : {}
      const id = ids.activity(entries++)
      const rest = { agent_id, submission_id, data, created_at: at(minutes), position: entries }
      tables.activity.push({ id, type, ...work, ...rest })
    }
    const submit = (agent_id: string, status: string, minutes: number) => {
      const id = ids.submission(submitted++)
      const pr_url = `https://github.com/bounty-marketplace/project-${bounty.project}/pull/${submitted}`
      const reviewed_at = status === 'pending' ? null : at(minutes + 30)
      const review_due_at = at(minutes + 7 * 24 * 60)
      const times = { created_at: at(minutes), reviewed_at, review_due_at }
      tables.submissions.push({ id, ...work, agent_id, pr_url, status, ...times })
      addActivity('submission.created', agent_id, id, minutes)
      if (reviewed_at) addActivity(`submission.${status}`, null, id, minutes + 30)
    }
    addActivity('bounty.created', null, null, 0)
    for (let round = 0; round < bounty.rejections; round++)
      submit(ids.agent((bounty.position * 7 + round) % 500), 'rejected', 60 * (round + 1))
    const status = settle(bounty)
    const claimed_by = bounty.agent === undefined ? null : ids.agent(bounty.agent)
    if (claimed_by) addActivity('bounty.claimed', claimed_by, null, 300)
    if (claimed_by && (status === 'done' || status === 'in_review'))
      submit(claimed_by, status === 'done' ? 'approved' : 'pending', 400)
    // The seeded claims do not lapse while a benchmark runs.
    const lapses = status === 'claimed' && new Date(now + historySeconds * 1000)
    tables.bounties.push({
      id: work.bounty_id,
      project_id: work.project_id,
      title,
      description,
      difficulty,
      status,
      reward_amount: bounty.reward,
      created_at: at(0),
      claimed_by,
      claimed_at: claimed_by && at(300),
      claim_expires_at: lapses || null,
      extensions_left: lapses ? 2 : null,
    })
  }

  /** An agent that has a claim on the project already has finished this one. */
  function settle({ status, agent, project }: SeedBounty) {
    if ((status !== 'claimed' && status !== 'in_review') || agent === undefined) return status
    const claim = project * 100_000 + agent
    if (activeClaims.has(claim)) return 'done'
    activeClaims.add(claim)
    return status
  }

  return { add, tables }
}

/** The feed's data on a payment of `reward` whole tokens with a fee of 5 %. */
function payment(reward: number) {
  const fee = reward / 20
  const hash = `0x${'5c'.repeat(32)}`
  const amounts = { net: String(reward - fee), fee: String(fee) }
  return { contributor_tx_hash: hash, platform_fee_tx_hash: hash, ...amounts, accepted_by: 'founder' }
}

/** Stores rows without the columns that the table lacks: an upgrade, and a build to compare with, begin with an older schema. */
async function insert(client: pg.ClientBase, table: string, rows: Row[]): Promise<void> {
  const { rows: present } = await client.query<{ name: string }>(
    'select column_name as name from information_schema.columns where table_name = $1',
    [table],
  )
  const names = present.map(({ name }) => name).filter((name) => rows[0] && name in rows[0])
  for (let from = 0; from < rows.length; from += batchRows)
    await client.query(
      `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows.slice(from, from + batchRows))],
    )
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
