import { type Kysely, sql } from 'kysely'

/**
 * Edges that only rare ways take: a person ends a transaction whose nonce somebody else has used, a gap filler loses
 * its nonce, the chain takes back the contracts of an active project.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [transactions, activations]) await sql.raw(statement).execute(db)
}

const transactions = `
drop trigger transactions_transition on transactions;
create trigger transactions_transition before update of status on transactions
  for each row execute function allow_transitions(
    'queued>refused', 'queued>unconfirmed',
    'unconfirmed>mined', 'unconfirmed>confirmed', 'unconfirmed>reverted', 'unconfirmed>needs_operator',
    'mined>confirmed', 'mined>reverted', 'mined>unconfirmed', 'mined>needs_operator',
    'confirmed>unconfirmed', 'reverted>unconfirmed', 'needs_operator>unconfirmed', 'abandoned>unconfirmed',
    'unconfirmed>abandoned', 'needs_operator>abandoned');`

const activations = `
drop trigger activations_transition on activations;
create trigger activations_transition before update of status on activations
  for each row execute function allow_transitions(
    'running>done', 'running>failed', 'running>needs_operator', 'failed>running', 'done>needs_operator',
    'needs_operator>running', 'needs_operator>done');`
