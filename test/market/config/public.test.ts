import { expect, test } from 'vitest'
import { localDollar } from '../../../server/embedded/chain/dollar.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ proxied: true })

const limits = {
  agent_name: 200,
  project_name: 200,
  project_description: 2000,
  token_symbol: 20,
  token_supply: 1_000_000_000_000,
  bounty_title: 200,
  bounty_description: 2000,
  pr_url: 2000,
  review_notes: 5000,
  comment: 5000,
  reason: 500,
  keyword: 200,
  searched: 3000,
  open_bounties: 1000,
  proposed_projects: 50,
  revisions: 100,
  webhooks: 10,
  webhook_url: 2000,
  deposits_per_day: 20,
  withdrawals_per_day: 5,
  page_size: 100,
  default_page_size: 20,
  event_wait_seconds: 50,
  request_body_bytes: 65_536,
  activations_per_day: null as number | null,
  newcomer_claims_per_hour: null as number | null,
  unbacked_payouts_per_day: null as number | null,
}

test('200 with chain, contracts, fees, code host and limits, and no secret of the operator', async () => {
  const { status, body } = await market.api('GET', '/api/config/public')
  expect(status).toBe(200)
  expect(body).toEqual({
    config: {
      chain: { id: 31_337, name: 'Test chain' },
      contracts: {
        platform_wallet: market.chain.platformWallet,
        project_factory: market.chain.projectFactory,
      },
      dollar: {
        address: localDollar,
        name: 'USD Coin',
        decimals: 6,
        least: '1.00',
        daily_cap: '5000',
      },
      fees: { platform_bps: 500, curve_bps: 100 },
      bounty_reserve_bps: 1000,
      claim_hours: { easy: 24, medium: 72, hard: 168, extreme: 336 },
      proof_hours: { easy: 6, medium: 12, hard: 12, extreme: 12 },
      review_days: 7,
      standing_min_eth: '0',
      payouts_enabled: true,
      wallet_generation_enabled: true,
      github: {
        organization: 'test-organization',
        url: `${market.github.webUrl}/test-organization`,
        api_url: market.github.apiUrl,
        token_url: `${market.github.webUrl}/token`,
      },
      limits,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    },
  })
})

test('200 with addresses for agents if the operator names them', async () => {
  const other = await createTestMarket({
    sharing: market,
    engines: false,
    settings: {
      CHAIN_PUBLIC_RPC_URL: 'https://rpc.example.org',
      CHAIN_EXPLORER_URL: 'https://explorer.example.org',
      PLATFORM_FEE_BPS: '250',
      WITHDRAWALS_PER_DAY: '7',
    },
  })
  const { body } = await other.api('GET', '/api/config/public')
  expect(body.config.chain).toMatchObject({
    rpc_url: 'https://rpc.example.org',
    explorer_url: 'https://explorer.example.org',
  })
  expect(body.config.fees.platform_bps).toBe(250)
  expect(body.config.limits.withdrawals_per_day).toBe(7)
})

test('200 with `null` for parts that are not configured', async () => {
  const other = await createTestMarket({
    sharing: market,
    engines: false,
    without: ['chain', 'repositories', 'wallets'],
    settings: { RATE_LIMITS: 'on', ACTIVATIONS_PER_DAY: '3', STANDING_MIN_ETH: '' },
  })
  const { status, body } = await other.api('GET', '/api/config/public')
  expect(status).toBe(200)
  expect(body.config).toMatchObject({
    chain: null,
    contracts: null,
    fees: { platform_bps: 500, curve_bps: null },
    bounty_reserve_bps: null,
    claim_hours: { easy: 24, medium: 72, hard: 168, extreme: 336 },
    proof_hours: { easy: 6, medium: 12, hard: 12, extreme: 12 },
    review_days: 7,
    standing_min_eth: '0.0002',
    payouts_enabled: false,
    wallet_generation_enabled: false,
    github: null,
    limits: {
      ...limits,
      activations_per_day: 3,
      newcomer_claims_per_hour: 10,
      unbacked_payouts_per_day: 100,
    },
  })
})

test('200 with payouts off while the contract is paused or the chain does not respond', async () => {
  const enabled = async () => (await market.api('GET', '/api/config/public')).body.config.payouts_enabled
  await market.chain.pause()
  expect(await enabled()).toBe(false)
  await market.chain.unpause()
  expect(await enabled()).toBe(true)
  market.chainProxy.disconnect()
  expect(await enabled()).toBe(false)
  market.chainProxy.restore()
  expect(await enabled()).toBe(true)
})

test('200 without dollars where the platform wallet was made without a coin', async () => {
  const other = await createTestMarket({ dollars: false, engines: false })
  expect((await other.api('GET', '/api/config/public')).body.config.dollar).toBeNull()
})
