import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import type { Metrics } from './metrics.ts'

interface StateRow {
  state: string
  count: number
  /** Since the last change of the oldest. */
  seconds?: number
}

/** Sets every metric that comes from the database. Reads only unfinished work, so its cost does not grow with history. */
export async function readDatabase(db: Database, metrics: Metrics): Promise<void> {
  const [stored] = await Promise.all([readStored(db), readWebhooks(db, metrics), readClock(db, metrics)])
  const [
    payouts,
    failures,
    activations,
    failedActivations,
    lanes,
    queue,
    settled,
    followers,
    heartbeat,
    log,
    pullRequests,
  ] = stored
  setStates(metrics.payouts, payouts.rows, metrics.payoutAge)
  setStates(metrics.activations, activations.rows)
  setCodes(metrics.payoutsFailed, failures.rows)
  setCodes(metrics.activationsFailed, failedActivations.rows)
  for (const { lane, nonce, unmined, seconds } of lanes.rows) {
    metrics.nonce.set({ lane }, nonce)
    metrics.unmined.set({ lane }, unmined)
    metrics.unminedAge.set({ lane }, seconds ?? 0)
  }
  metrics.queued.set(queue.rows[0]?.count ?? 0)
  metrics.queuedAge.set(queue.rows[0]?.seconds ?? 0)
  metrics.heartbeatAge.set(heartbeat.rows[0]?.seconds ?? 0)
  metrics.eventLogLag.set(log.rows[0]?.seconds ?? 0)
  metrics.pullRequestsDueAge.set(pullRequests.rows[0]?.seconds ?? 0)
  metrics.followerBlock.set(followers.rows[0]?.block ?? 0)
  metrics.followerLag.set(followers.rows[0]?.seconds ?? 0)
  metrics.payoutsSettled.set(settled.rows[0]?.count ?? 0)
}

function readStored(db: Database) {
  return Promise.all([
    sql<StateRow>`select status as state, count(*)::int as count,
        extract(epoch from clock_timestamp() - min(updated_at))::float8 as seconds
      from payouts where status <> 'settled' group by status`.execute(db),
    sql<{ code: string; count: number }>`select error_code as code, count(*)::int as count
      from payouts where status = 'failed' group by error_code`.execute(db),
    sql<StateRow>`select status as state, count(*)::int as count
      from activations where status <> 'done' group by status`.execute(db),
    sql<{ code: string; count: number }>`select error_code as code, count(*)::int as count
      from activations where status = 'failed' and updated_at > clock_timestamp() - interval '1 hour'
      group by error_code`.execute(db),
    sql<{ lane: string; nonce: number; unmined: number; seconds: number | null }>`
      select l.address as lane, l.next_nonce as nonce, count(t.id)::int as unmined,
        extract(epoch from clock_timestamp() - min(t.updated_at))::float8 as seconds
      from lanes l left join transactions t on t.chain_id = l.chain_id and t.from_address = l.address
        and t.nonce is not null and not t.is_final and t.status = 'unconfirmed'
      group by l.chain_id, l.address`.execute(db),
    sql<{ count: number; seconds: number | null }>`select count(*)::int as count,
        extract(epoch from clock_timestamp() - min(created_at) filter (where purpose in ('payout', 'deploy')))::float8
          as seconds
      from transactions where status = 'queued'`.execute(db),
    sql<{ count: number }>`select sum(bounties_done)::float8 as count from statistics`.execute(db),
    // Rows of chains that are no longer used stay.
    sql<{ block: number | null; seconds: number }>`select head_block as block,
        extract(epoch from clock_timestamp() - caught_up_at)::float8 as seconds
      from followers order by caught_up_at desc limit 1`.execute(db),
    sql<{ seconds: number }>`select extract(epoch from clock_timestamp() - beaten_at)::float8 as seconds
      from heartbeat`.execute(db),
    sql<{
      seconds: number | null
    }>`select extract(epoch from clock_timestamp() - created_at)::float8 as seconds
      from activity where position is null order by seq limit 1`.execute(db),
    sql<{
      seconds: number | null
    }>`select extract(epoch from clock_timestamp() - min(due_at))::float8 as seconds
      from pull_requests where due_at <= clock_timestamp()`.execute(db),
  ])
}

async function readWebhooks(db: Database, metrics: Metrics): Promise<void> {
  const { rows } = await sql<{ pending: number; failing: number; seconds: number | null }>`select
    (select count(*)::int from webhook_deliveries join webhooks on id = webhook_id
      where status = 'pending' and disabled_at is null) as pending,
    (select count(*)::int from webhooks where failing_since is not null and disabled_at is null) as failing,
    (select extract(epoch from clock_timestamp() - min(due_at))::float8 from webhooks
      where due_at <= clock_timestamp()) as seconds`.execute(db)
  const [row] = rows
  metrics.webhooksPending.set(row?.pending ?? 0)
  metrics.webhooksFailing.set(row?.failing ?? 0)
  metrics.webhooksDueAge.set(row?.seconds ?? 0)
}

/** Taken as of the middle of the request, so that a slow one does not look like another clock. */
async function readClock(db: Database, metrics: Metrics): Promise<void> {
  const asked = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const middle = (asked + Date.now()) / 2
  if (rows[0]) metrics.clockOffset.set((middle - rows[0].now.getTime()) / 1000)
}

function setCodes(counts: Metrics['payoutsFailed'], rows: { code: string; count: number }[]): void {
  counts.reset()
  for (const { code, count } of rows) counts.set({ code }, count)
}

function setStates(counts: Metrics['payouts'], rows: StateRow[], ages?: Metrics['payoutAge']): void {
  for (const state of ['running', 'failed', 'needs_operator']) {
    const row = rows.find((candidate) => candidate.state === state)
    counts.set({ state }, row?.count ?? 0)
    ages?.set({ state }, row?.seconds ?? 0)
  }
}
