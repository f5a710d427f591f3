import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { activationsPerDay, limits, upperNumbers } from '../../api/limits.ts'
import { isEmbedded } from '../../code/host/repositories.ts'
import { within } from '../../config/time-limit.ts'
import { hoursByDifficulty, proofHours } from '../../lifecycle/deadlines.ts'
import type { Chain } from '../../money/chain/chain.ts'
import { readDailyCap } from '../../money/chain/dollar.ts'
import { dollarDecimals, leastDollars, toDollars } from '../../money/chain/units.ts'
import { leastWorth, unbackedPayoutsPerDay } from '../../money/payouts/backing.ts'
import { publicProcedure } from '../../trpc.ts'
import { publicConfig } from './schema.ts'

/** Longest time a response waits for the node. */
const nodeTimeoutMs = 1000

export const getPublic = publicProcedure({
  method: 'GET',
  path: '/api/config/public',
  summary: 'Get the public configuration',
  description:
    'Chain, contracts, fees, code host and limits. A part is `null` if the operator has not configured it, or if only ' +
    'the chain knows it and the chain has not responded since the service started.',
})
  .input(z.strictObject({}))
  .output(z.object({ config: publicConfig }))
  .query(async ({ ctx }) => {
    const { config, repositories, wallets } = ctx.services
    const { chain } = ctx.services.chain
    const [isStopped, dollar] = await Promise.all([chain && isPaused(chain), chain && dollarsOf(chain)])
    return {
      config: {
        chain: chain && {
          id: chain.id,
          name: chain.name,
          rpc_url: config.CHAIN_PUBLIC_RPC_URL,
          explorer_url: config.CHAIN_EXPLORER_URL,
        },
        contracts: chain && {
          platform_wallet: chain.platformWallet,
          project_factory: chain.projectFactory,
        },
        dollar,
        fees: { platform_bps: config.PLATFORM_FEE_BPS, curve_bps: chain?.curveFeeBps ?? null },
        bounty_reserve_bps: chain?.bountyReserveBps ?? null,
        claim_hours: hoursByDifficulty(config),
        proof_hours: proofHours(config),
        review_days: config.REVIEW_DAYS,
        standing_min_eth: leastWorth(config),
        payouts_enabled: config.PAYOUTS_ENABLED && isStopped === false,
        wallet_generation_enabled: wallets !== null,
        github: repositories && {
          organization: repositories.organization,
          url: `${repositories.url}/${repositories.organization}`,
          api_url: repositories.apiUrl,
          token_url: isEmbedded(repositories.url) ? `${repositories.url}/token` : null,
        },
        limits: {
          ...limits,
          ...upperNumbers(config),
          activations_per_day: activationsPerDay(config),
          newcomer_claims_per_hour:
            config.RATE_LIMITS === 'off' ? null : config.RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR,
          unbacked_payouts_per_day: unbackedPayoutsPerDay(config),
          deposits_per_day: config.DEPOSITS_PER_DAY,
          withdrawals_per_day: config.WITHDRAWALS_PER_DAY,
        },
        version: manifest.version,
      },
    }
  })

/** What a founder needs to know before locking dollars. */
async function dollarsOf(chain: Chain) {
  if (!chain.dollar) return null
  const { address, name } = chain.dollar
  const cap = readDailyCap(chain, address).then(toDollars)
  const daily_cap = await within(nodeTimeoutMs, cap, () => null).catch(() => null)
  return { address, name, decimals: dollarDecimals, least: leastDollars, daily_cap }
}

/** A chain that does not respond counts as paused: it pays nothing either. */
function isPaused(chain: Chain): Promise<boolean> {
  return within(nodeTimeoutMs, chain.isPaused(), () => true).catch(() => true)
}
