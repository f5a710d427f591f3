import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '../../server/db/client.ts'
import type {
  Agents,
  Bounties,
  Deposits,
  Payouts,
  Projects,
  PullRequests,
  Relays,
  Submissions,
  Transactions,
  Webhooks,
} from '../../server/db/generated/tables.ts'
import { newId } from '../../server/ids.ts'

/** Inserts rows directly, for tests of the database's own constraints. Each function returns the row's id. */
export function createRows(db: Database) {
  const rows = {
    async agent(fields: Partial<Insertable<Agents>> = {}) {
      const id = newId('agent')
      const row = { id, name: 'Ada', key_id: id, key_hash: '$argon2id$x', ...fields }
      await db.insertInto('agents').values(row).execute()
      return id
    },
    async project(fields: Partial<Insertable<Projects>> = {}) {
      const id = newId('project')
      const founder_id = fields.founder_id ?? (await rows.agent())
      const row = {
        id,
        name: 'P',
        description: 'D',
        token_symbol: 'S',
        token_supply: 1000,
        ...fields,
        founder_id,
      }
      await db.insertInto('projects').values(row).execute()
      return id
    },
    async bounty(fields: Partial<Insertable<Bounties>> = {}) {
      const id = newId('bounty')
      const project_id = fields.project_id ?? (await rows.project())
      const row = {
        id,
        title: 'T',
        description: 'D',
        reward_amount: 10,
        difficulty: 'easy' as const,
        ...claimTerms(fields.status),
        ...fields,
      }
      await db
        .insertInto('bounties')
        .values({ ...row, project_id })
        .execute()
      return id
    },
    /** A bounty that passed through every status up to `status`. */
    async bountyAt(
      status: 'open' | 'claimed' | 'in_review' | 'done',
      fields: Partial<Insertable<Bounties>> = {},
    ) {
      const id = await rows.bounty(fields)
      if (status === 'open') return id
      const claimed_by = await rows.agent()
      const path = ['claimed', 'in_review', 'done'] as const
      for (const step of path.slice(0, path.indexOf(status) + 1))
        await db
          .updateTable('bounties')
          .set({ status: step, claimed_by, claimed_at: new Date(), ...claimTerms(step) })
          .where('id', '=', id)
          .execute()
      return id
    },
    /** Stores one of a project that the caller names or of a new one; returns its url. */
    async pullRequest(fields: Partial<Insertable<PullRequests>> = {}) {
      const project_id = fields.project_id ?? (await rows.project())
      const number = fields.number ?? 1
      const url = `https://host.example/acme/${project_id}/pull/${number}`
      const state = fields.merged ? ('closed' as const) : ('open' as const)
      const base = { head_ref: 'work', base_ref: 'main', into_default: true, changed_at: new Date() }
      const facts = { state, draft: false, merged: false, head_sha: 'a'.repeat(40), ...base }
      const counts = { additions: 1, deletions: 0, changed_files: 1 }
      await db
        .insertInto('pull_requests')
        .values({ url, number, ...facts, ...counts, ...fields, project_id })
        .execute()
      return url
    },
    async webhook(fields: Partial<Insertable<Webhooks>> = {}) {
      const id = newId('webhook')
      const agent_id = fields.agent_id ?? (await rows.agent())
      const sealed = { sealed_secrets: randomBytes(8), key_version: 1 }
      await db
        .insertInto('webhooks')
        .values({ id, url: 'https://agent.example/', ...sealed, ...fields, agent_id })
        .execute()
      return id
    },
    async submission(fields: Partial<Insertable<Submissions>> = {}) {
      const id = newId('submission')
      const bounty_id = fields.bounty_id ?? (await rows.bounty())
      const agent_id = fields.agent_id ?? (await rows.agent())
      const { project_id } = await db
        .selectFrom('bounties')
        .where('id', '=', bounty_id)
        .select('project_id')
        .executeTakeFirstOrThrow()
      const row = {
        id,
        pr_url: `https://example.org/${id}/pull/1`,
        review_due_at: new Date(Date.now() + 86_400_000),
        ...fields,
      }
      await db
        .insertInto('submissions')
        .values({ ...row, bounty_id, agent_id, project_id })
        .execute()
      return id
    },
    /** One that runs, unless another status is given. Returns the id of its submission. */
    async payout(fields: Partial<Insertable<Payouts>> = {}) {
      const submission_id = fields.submission_id ?? (await rows.submission())
      const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
      const row = {
        payout_id: hex(32),
        chain_id: 31_337,
        amount: '95',
        fee: '5',
        platform_wallet: hex(20),
        token: hex(20),
        from_address: hex(20),
        to_address: hex(20),
        ...(fields.status === 'failed' && { error_code: 'payout_failed' }),
        ...(fields.status === 'settled' && { tx_hash: hex(32), settled_at: new Date(), is_backed: true }),
        ...fields,
      }
      await db
        .insertInto('payouts')
        .values({ ...row, submission_id })
        .execute()
      return submission_id
    },
    /** A transaction of a payout, unless another purpose is given. */
    async transaction(
      fields: Partial<Insertable<Transactions>> & Pick<Insertable<Transactions>, 'entity_id' | 'status'>,
    ) {
      const to_address = `0x${randomBytes(20).toString('hex')}`
      const row = {
        chain_id: 31_337,
        purpose: 'payout' as const,
        to_address,
        data: Buffer.alloc(0),
        ...fields,
      }
      const inserted = db.insertInto('transactions').values(row).returning('id')
      return (await inserted.executeTakeFirstOrThrow()).id
    },
    /** A running withdrawal. */
    async relay(fields: Partial<Insertable<Relays>> = {}) {
      const id = newId('withdrawal')
      const agent_id = fields.agent_id ?? (await rows.agent())
      const project_id = fields.project_id ?? (await rows.project())
      const address = `0x${randomBytes(20).toString('hex')}`
      const row = {
        kind: 'withdrawal' as const,
        chain_id: 1,
        token: address,
        wallet: address,
        recipient: address,
        amount: 1,
        nonce: `0x${randomBytes(32).toString('hex')}`,
        request_digest: Buffer.of(1),
        head_block: 1,
        valid_before: 1,
        gas_reserved_wei: 1,
        ...fields,
      }
      await db
        .insertInto('relays')
        .values({ ...row, id, agent_id, project_id })
        .execute()
      return id
    },
    /** A queued deposit with its relay. */
    async deposit(fields: Partial<Insertable<Deposits>> = {}) {
      const bounty_id = fields.bounty_id ?? (await rows.bounty())
      const kind = { kind: 'deposit', request_digest: null } as const
      const row = {
        payout_id: `0x${randomBytes(32).toString('hex')}`,
        chain_id: 1,
        platform_wallet: `0x${randomBytes(20).toString('hex')}`,
        amount: 1_000_000,
        agent_id: await rows.agent(),
        project_id: await rows.project(),
        relay_id: fields.relay_id ?? (await rows.relay(kind)),
        ...fields,
      }
      await db
        .insertInto('deposits')
        .values({ ...row, bounty_id })
        .execute()
      return bounty_id
    },
  }
  return rows
}

/** The terms of a claim, which a bounty has while it is claimed. */
export function claimTerms(status?: string) {
  return status === 'claimed'
    ? { claim_expires_at: new Date(Date.now() + 86_400_000), extensions_left: 2 }
    : { claim_expires_at: null, extensions_left: null, proof_due_at: null, look_at: null }
}
