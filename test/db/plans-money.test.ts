import { describe, expect, test } from 'vitest'
import { resealing } from '../../server/crypto/reseal.ts'
import { createWalletVault } from '../../server/crypto/wallet-vault.ts'
import { listDeliveries } from '../../server/events/webhooks/queries.ts'
import { newestTrades } from '../../server/market/projects/queries.ts'
import { listOrphaned } from '../../server/money/transactions/lane/lease.ts'
import { createMetrics } from '../../server/observability/metrics.ts'
import { readDatabase } from '../../server/observability/read-database.ts'
import { listUnresolved } from '../../server/ops/payouts/unresolved.ts'
import { relaysOn } from '../money/relays/support/relays.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { startReceiver, webhooksOn } from '../support/webhooks.ts'
import { explainStatements } from './explain.ts'

/* As in plans.test.ts: what a bounty's whole life sends, the loops that pay included. */
const growing = [
  'agents',
  'managed_wallets',
  'projects',
  'bounties',
  'submissions',
  'activity',
  'activations',
  'payouts',
  'transactions',
  'transaction_attempts',
  'payments',
  'trades',
  'relays',
  'webhooks',
  'webhook_deliveries',
]

const seed = `
insert into transactions (chain_id, purpose, entity_id, from_address, nonce, to_address, data, gas_limit, status,
                          mined_hash, block_number, block_hash, is_final)
  select 31337, 'payout', 'sub_' || g, '0x' || repeat('a', 40), g, '0x' || repeat('b', 40), '', 21000, 'confirmed',
    '0x' || lpad(to_hex(g), 64, '0'), g, '0x' || repeat('c', 64), true
  from generate_series(1, 20000) g;
insert into transaction_attempts (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block)
  select mined_hash, id, decode(repeat('00', 200), 'hex'), 1, 1, 1 from transactions where entity_id like 'sub\\_%' and is_final;
insert into activations (project_id, status, founder_wallet, repo_url, deployer, token_address, curve_address, followed_curve,
                         started_at)
  select 'proj_' || g, 'done', '0x' || repeat('a', 40), 'https://example.org/' || g, '0x' || repeat('a', 40),
    '0x' || repeat('e', 40), curve, curve, now() - g * interval '1 hour'
  from generate_series(1, 20000) g, lateral (select '0x' || lpad(to_hex(g), 40, '0') as curve) at;
insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address, amount, fee,
                     status, tx_hash, settled_at, agent_id, project_id)
  select entity_id, mined_hash, 31337, '0x' || repeat('d', 40), '0x' || repeat('e', 40), '0x' || repeat('f', 40),
    '0x' || lpad(to_hex(nonce), 40, 'b'), 1, 0, 'settled', mined_hash, now(), 'agent_' || 1 + nonce % 100, 'proj_' || 1 + nonce % 100
  from transactions where entity_id like 'sub\\_%' and is_final;
insert into payments (chain_id, block_number, log_index, block_hash, block_time, tx_hash, platform_wallet, payout_id, token,
                      from_address, to_address, amount, fee)
  select 31337, -row_number() over (), 0, '', now(), tx_hash, platform_wallet, payout_id, token, from_address,
    to_address, amount, fee from payouts;
-- Below every block of the chain, so that the follower leaves them alone.
insert into trades (chain_id, block_number, log_index, block_hash, block_time, tx_hash, curve, side, trader, recipient, amount,
                    eth, fee, sold, price)
  select 31337, -g, 1, '', now(), '', '0x' || lpad(to_hex(g % 100), 40, '0'), 'buy', '', '', 1, 1, 0, 1, 1
  from generate_series(1, 20000) g;
insert into submissions (id, bounty_id, project_id, agent_id, pr_url, status, reviewed_at, review_due_at)
  select 'sub_' || g, 'bnt_' || g, 'proj_' || g, 'agent_' || g, 'https://example.org/pull/' || g, 'approved', now(), now() from generate_series(1, 20000) g;
insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at)
  select 'bnt_' || g, 'proj_' || g, 'Task ' || g, 'Work', 10, 'easy', 'done', 'agent_' || g, now() from generate_series(1, 20000) g;
insert into projects (id, name, description, founder_id, token_symbol, token_supply)
  select 'proj_' || g, 'Project ' || g, 'Work', 'agent_' || g, 'T', 1000 from generate_series(1, 20000) g;
insert into agents (id, name, key_id, key_hash)
  select 'agent_' || g, 'A', 'k' || g, '$argon2id$x' from generate_series(1, 20000) g;
insert into managed_wallets (agent_id, address, sealed_key, key_version)
  select 'agent_' || g, '0x' || lpad(to_hex(g), 40, '0'), '', case when g % 400 = 0 then 8 else 9 end
  from generate_series(1, 20000) g;
insert into activity (id, type, agent_id, project_id, bounty_id)
  select 'act_' || g, 'bounty.created', 'agent_' || g, 'proj_' || g, 'bnt_' || g from generate_series(1, 20000) g;
insert into relays (id, kind, agent_id, project_id, chain_id, token, wallet, amount, recipient, nonce, request_digest,
                    head_block, valid_before, gas_reserved_wei, status, tx_hash, confirmed_at, created_at)
  select 'wd_' || g, 'withdrawal', 'agent_' || g, 'proj_' || g, 31337, '0x' || repeat('e', 40), '0x' || repeat('f', 40), 1,
    '0x' || repeat('b', 40), '0x' || lpad(to_hex(g), 64, '0'), '', 1, 1, 1, 'confirmed', '0x' || repeat('c', 64), now(),
    now() - g * interval '1 hour'
  from generate_series(1, 20000) g;
update activity set position = substr(id, 5)::int where id like 'act\\_%';
insert into webhooks (id, agent_id, url, sealed_secrets, key_version)
  select 'wh_' || g, 'agent_' || g, 'https://agent.example/', '', case when g % 400 = 0 then 8 else 9 end from generate_series(1, 20000) g;
insert into webhook_deliveries (webhook_id, event_id, position, status, next_attempt_at)
  select 'wh_' || 1 + g % 2, 'act_' || g, g, case when g % 20 = 1 then 'failed' else 'delivered' end, null
  from generate_series(1, 20000) g`

const market = await createTestMarket({
  settings: {
    RATE_LIMITS: 'on',
    RATE_LIMIT_REGISTRATIONS_PER_HOUR: '1000',
    RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR: '1000',
  },
})
const { forget, readWhole } = await explainStatements(market.databaseUrl, seed, growing)

describe('no growing table is read from end to end by', () => {
  test('an activation, a rejection, an approval and its payout', async () => {
    const project = await market.activeProject()
    const rejected = await market.bountyInReview({ project })
    const { status } = await market.api('POST', `/api/bounties/${rejected.id}/reject`, {
      key: project.founder.key,
      body: { review_notes: 'Not yet.' },
    })
    expect(status).toBe(200)
    await market.doneBounty({ project })
    expect(await readWhole()).toEqual([])
  })

  test('the balances of an agent', async () => {
    const { claimant, founder } = await market.doneBounty()
    forget()
    for (const { key } of [claimant, founder]) {
      const { status, body } = await market.api('GET', '/api/agents/me/balances', { key })
      expect([status, body.balances.length]).toEqual([200, 1])
    }
    expect(await readWhole()).toEqual([])
  })

  test('a follower that stores payments and trades, and removes those of a reorganised block', async () => {
    const project = await market.activeProject()
    await market.doneBounty({ project })
    await market.chain.buy(await market.chain.fundedAccount(), project.curve_address, 10n ** 18n)
    const curve = project.curve_address.toLowerCase()
    const follow = async (trades: number) => {
      await market.stopEngines()
      market.startEngines()
      await until(async () => (await newestTrades(market.db, curve, 9)).length === trades)
    }
    forget()
    await follow(1)
    await market.chain.reorganise(1)
    await follow(0)
    expect(await readWhole()).toEqual([])
  })

  test.each([
    '/api/payouts',
    '/api/payouts?limit=100&after=sub_9000',
    '/api/payouts?project_id=proj_7&after=sub_9007',
    '/api/payouts?agent_id=agent_7&after=sub_9007',
    '/api/payouts?agent_id=agent_7&project_id=proj_7',
    '/api/payouts?status=confirmed',
    '/api/payouts?status=failed',
    '/api/submissions/sub_9000/payout',
  ])('GET %s', async (path) => {
    const { key } = await market.register()
    forget()
    expect((await market.api('GET', path, { key })).status).toBe(200)
    expect(await readWhole()).toEqual([])
  })

  test('the trades of a curve', async () => {
    forget()
    const before = { block: -5000, logIndex: 1 }
    expect(await newestTrades(market.db, `0x${'7'.padStart(40, '0')}`, 21, before)).toHaveLength(21)
  })

  test('withdrawals and an allowance, from the request to the list', async () => {
    const relays = relaysOn(market)
    const project = await market.activeProject()
    const agent = await relays.holder(project)
    forget()
    const { id } = (await relays.withdraw(agent, project)).body.withdrawal
    await until(relays.is(id, 'confirmed'))
    expect((await relays.read(agent, id)).status).toBe('confirmed')
    for (const query of ['', `?after=${id}`])
      expect((await market.api('GET', `/api/agents/me/withdrawals${query}`, { key: agent.key })).status).toBe(
        200,
      )
    const request = { key: project.founder.key, body: { amount: '200000' } }
    const path = `/api/projects/${project.id}/allowance`
    const { allowance } = (await market.api('POST', path, request)).body
    await until(relays.is(allowance.id, 'confirmed'))
    expect((await market.api('GET', path, { key: request.key })).status).toBe(200)
    expect(await readWhole()).toEqual([])
  })

  test('webhooks, from the challenge to the replay', async () => {
    const receiver = await startReceiver()
    const hooks = webhooksOn(market)
    const agent = await market.register()
    forget()
    const { webhook } = await hooks.create(agent, receiver.url)
    const path = `/${webhook.id}`
    expect((await hooks.call('GET', '', agent)).status).toBe(200)
    for (const enabled of [false, true])
      expect((await hooks.call('PATCH', path, agent, { enabled })).status).toBe(200)
    expect((await hooks.call('POST', `${path}/test`, agent)).status).toBe(200)
    expect((await hooks.call('POST', `${path}/rotate-secret`, agent)).status).toBe(200)
    expect((await hooks.call('POST', `${path}/replay`, agent, { after: 'act_19990' })).status).toBe(200)
    expect(await readWhole()).toEqual([])
    await receiver.close()
  })

  test.each(['', '?status=failed', '?status=pending', '?status=delivered&after=act_9001'])(
    'GET /api/webhooks/{id}/deliveries%s',
    async (query) => {
      forget()
      const [path, page] = query.split('after=')
      const status = path?.match(/status=(\w+)/)?.[1] as 'failed' | undefined
      await listDeliveries(market.db, 'wh_2', { limit: 21, status, before: page })
      expect(await readWhole(['webhook_deliveries'])).toEqual([])
    },
  )

  // Every so often, or when a person asks.
  test.each([
    [
      'the search for lanes without a process',
      () => listOrphaned(market.db, { chainId: 31337, ours: [], seconds: 0 }),
    ],
    [
      'the wallets that a new master key seals',
      resealing(market.db, createWalletVault('new', 9, 'old'), { info() {}, error() {} } as never),
    ],
    ['the metrics', () => readDatabase(market.db, createMetrics())],
    ['an operator who asks what is unresolved', () => listUnresolved(market.db)],
  ])('%s', async (_what, read) => {
    forget()
    await read()
    expect(await readWhole()).toEqual([])
  })
})
