import { sql } from 'kysely'
import type { Database } from '../../../../server/db/client.ts'

/** Every allowed edge of every status, written down independently of the triggers that enforce them. */
const edges: Record<string, string[]> = {
  projects: ['proposed>active'],
  bounties: [
    'open>claimed',
    'open>cancelled',
    'claimed>in_review',
    'in_review>open',
    'in_review>claimed',
    'in_review>done',
  ],
  submissions: [
    'pending>approving',
    'pending>rejected',
    'pending>changes_requested',
    'pending>retracted',
    'approving>pending',
    'approving>approved',
  ],
  payouts: [
    'running>settled',
    'running>failed',
    'running>needs_operator',
    'failed>running',
    'settled>needs_operator',
    'needs_operator>running',
    'needs_operator>settled',
  ],
  activations: [
    'running>done',
    'running>failed',
    'running>needs_operator',
    'failed>running',
    'done>needs_operator',
    'needs_operator>running',
    'needs_operator>done',
  ],
  deposits: [
    'locked>refunding',
    'locked>paid',
    'refunding>locked',
    'refunding>refunded',
    'refunding>paid',
    'refunded>locked',
  ],
  relays: ['running>confirmed', 'running>failed', 'confirmed>running'],
  transactions: [
    'queued>refused',
    'queued>unconfirmed',
    'unconfirmed>mined',
    'unconfirmed>confirmed',
    'unconfirmed>reverted',
    'unconfirmed>needs_operator',
    'unconfirmed>abandoned',
    'mined>confirmed',
    'mined>reverted',
    'mined>unconfirmed',
    'mined>needs_operator',
    'confirmed>unconfirmed',
    'reverted>unconfirmed',
    'needs_operator>unconfirmed',
    'needs_operator>abandoned',
    'abandoned>unconfirmed',
  ],
}

/** Makes the database record every change of a status from now on. */
export async function recordHistory(db: Database): Promise<void> {
  await sql
    .raw(`
create table test_history (
  seq bigint generated always as identity, relation text, id text, edge text,
  began timestamptz default transaction_timestamp(), at timestamptz default clock_timestamp());
create function note_history() returns trigger language plpgsql as $$
begin
  if old.status <> new.status then
    insert into test_history (relation, id, edge)
    values (tg_table_name, to_jsonb(new) ->> tg_argv[0], old.status || '>' || new.status);
  end if;
  return null;
end $$;`)
    .execute(db)
  const keys: Record<string, string> = {
    payouts: 'submission_id',
    activations: 'project_id',
    deposits: 'bounty_id',
  }
  for (const relation of Object.keys(edges))
    await sql
      .raw(
        `create trigger test_history after update on ${relation} for each row
           execute function note_history('${keys[relation] ?? 'id'}')`,
      )
      .execute(db)
}

/**
 * Makes the database record every write for a lane by a process that does not hold it. The name of its connections
 * identifies a process; the last process that took a lane holds it.
 */
export async function recordTrespass(db: Database): Promise<void> {
  await sql
    .raw(`
create table test_holders (lane text primary key, process text);
create table test_trespass (process text, holder text, what text);
create function note_holder() returns trigger language plpgsql as $$
begin
  if new.lease_owner is not null and new.fence <> old.fence then
    insert into test_holders values (new.address, current_setting('application_name'))
    on conflict (lane) do update set process = excluded.process;
  end if;
  return null;
end $$;
create trigger test_holders after update on lanes for each row execute function note_holder();
create function note_trespass() returns trigger language plpgsql as $$
declare lane_of text; holder text; me text := current_setting('application_name');
begin
  if tg_table_name = 'transactions' then
    if new.nonce is null then return null; end if;
    lane_of := new.from_address;
  else
    select from_address into lane_of from transactions where id = new.transaction_id;
  end if;
  select process into holder from test_holders where lane = lane_of;
  if me like 'slot%' and holder is distinct from me then
    insert into test_trespass values (me, holder, tg_op || ' ' || tg_table_name);
  end if;
  return null;
end $$;
create trigger test_trespass after insert or update on transactions for each row execute function note_trespass();
create trigger test_trespass after insert or update on transaction_attempts
  for each row execute function note_trespass();`)
    .execute(db)
}

/** Writes of processes for lanes that were not theirs any more. */
export async function trespasses(db: Database): Promise<string[]> {
  const { rows } = await sql<{ process: string; holder: string; what: string }>`
    select * from test_trespass`.execute(db)
  return rows.map(({ process, holder, what }) => `${process} did ${what} in a lane that ${holder} holds`)
}

/** A change of a status, `from>to`. */
interface Change {
  relation: string
  id: string
  edge: string
}

/** Every change of a status so far. */
export async function history(db: Database): Promise<Change[]> {
  const { rows } = await sql<Change>`select relation, id, edge from test_history order by seq`.execute(db)
  return rows
}

/** When an approval was stored: its transaction began, read what is to be paid, and wrote it. */
export interface Approval {
  began: Date
  stored: Date
}

/** The last approval of each submission. */
export async function approvalsOf(db: Database): Promise<Map<string, Approval>> {
  const { rows } = await sql<Approval & { id: string }>`
    select distinct on (id) id, began, at as stored from test_history
    where relation = 'submissions' and edge = 'pending>approving' order by id, seq desc`.execute(db)
  return new Map(rows.map(({ id, ...approval }) => [id, approval]))
}

/** Changes along no allowed edge, and changes that do not start where the one before ended. */
export async function wrongHistory(db: Database): Promise<string[]> {
  const last = new Map<string, string>()
  return (await history(db)).flatMap(({ relation, id, edge }) => {
    const entityId = `${relation} ${id}`
    const [from, to] = edge.split('>') as [string, string]
    const before = last.get(entityId)
    last.set(entityId, to)
    const problems: string[] = []
    if (!edges[relation]?.includes(edge)) problems.push(`${entityId}: ${edge} is no allowed edge`)
    if (before !== undefined && before !== from) problems.push(`${entityId}: ${edge} after ${before}`)
    return problems
  })
}
