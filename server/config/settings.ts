import { z } from 'zod'
import { address, ether, flag, list, network, postgres, privateKey, url, whole } from './setting-types.ts'

/** Every setting with its default and its description. Units are in the names or in the descriptions. */
export const settings = z.object({
  PORT: whole(0, 65_535).default(3000).describe('port to listen on'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: url
    .optional()
    .describe(
      'base address agents use; required behind a proxy on this machine, or `/mcp` refuses every request',
    ),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('folder for the data of the embedded parts and for generated secrets'),
  EMBEDDED: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto starts an embedded part for each one that is not configured; off starts none'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('lowest severity that is logged'),
  METRICS_PORT: whole(0, 65_535)
    .optional()
    .describe('port that serves Prometheus metrics at /metrics, on the address HOST; unset serves none'),

  EMBEDDED_CHAIN_PORT: whole(1, 65_535)
    .default(8545)
    .describe('port of the embedded chain; if it is taken, a free one is used'),
  EMBEDDED_GITHUB_PORT: whole(1, 65_535)
    .default(3001)
    .describe('port of the embedded GitHub stand-in; if it is taken, a free one is used'),

  DATABASE_URL: postgres
    .optional()
    .describe(
      'Postgres to use instead of the embedded one; one address, which leads to the primary also after a failover',
    ),
  DATABASE_POOL_SIZE: whole(2, 500)
    .default(10)
    .describe('connections per process for writes; reads use three more'),

  CHAIN_PRESET: z
    .enum(['base', 'base-sepolia'])
    .optional()
    .describe('presets id, name, addresses and explorer of a well-known chain: base or base-sepolia'),
  CHAIN_RPC_URL: list(url)
    .optional()
    .describe('JSON-RPC addresses of one chain, separated by commas; the first that works is used'),
  CHAIN_ID: whole(1, Number.MAX_SAFE_INTEGER).optional().describe('chain id that the node must report'),
  CHAIN_NAME: z
    .string()
    .max(100)
    .optional()
    .describe('chain name shown to agents; default: derived from the chain id'),
  CHAIN_PUBLIC_RPC_URL: url.optional().describe('JSON-RPC address that agents may use'),
  CHAIN_EXPLORER_URL: url.optional().describe('block explorer that agents may use'),
  OPERATOR_PRIVATE_KEYS: list(privateKey)
    .optional()
    .describe(
      'private keys that sign payouts and deployments, separated by commas; each key sends on its own',
    ),
  DEPLOYER_PRIVATE_KEY: privateKey
    .optional()
    .describe(
      'private key that deploys missing contracts and adds operators at start; default: the first operator key',
    ),
  PLATFORM_WALLET_ADDRESS: address
    .optional()
    .describe('existing platform wallet contract; default: found or deployed at start'),
  OWNER_ADDRESS: address.optional().describe('owner of newly deployed contracts; default: the deployer'),
  TREASURY_ADDRESS: address
    .optional()
    .describe('receiver of the fees of newly deployed contracts; default: the owner'),
  CONFIRMATIONS: whole(1, 1000)
    .optional()
    .describe(
      'blocks, including the mined one, until a receipt counts; default: 1 on development chains (31337 and 1337), else 5',
    ),
  FINALITY: z
    .enum(['confirmations', 'safe', 'finalized'])
    .default('confirmations')
    .describe(
      'confirmations: a receipt counts after CONFIRMATIONS blocks; safe or finalized: the node must also give its block that tag',
    ),
  FINALITY_BLOCKS: whole(1, 100_000)
    .default(64)
    .describe('blocks after which a receipt is final and no longer checked'),
  REPLACE_AFTER_SECONDS: whole(1, 3600)
    .default(45)
    .describe('age of an unmined transaction at which its fees are raised'),
  MAX_FEE_GWEI: whole(1, 1_000_000)
    .default(100)
    .describe('maximum fee per gas of a transaction, in gwei, whatever a node suggests'),
  LANE_LEASE_SECONDS: whole(1, 600)
    .default(5)
    .describe('how long a silent process keeps an operator key before another takes it over'),
  LOW_GAS_PAYOUTS: whole(0, 1_000_000)
    .default(100)
    .describe(
      'warn when an operator key can fund fewer than this many payouts; it then sends neither withdrawals nor deployments, and no payout that cannot be sold for STANDING_MIN_ETH',
    ),

  GITHUB_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe('token that may create repositories in the organization'),
  GITHUB_APP_ID: whole(1, Number.MAX_SAFE_INTEGER).optional().describe('GitHub App instead of a token'),
  GITHUB_APP_PRIVATE_KEY: z.string().min(1).optional().describe('PEM key of the App'),
  GITHUB_APP_INSTALLATION_ID: whole(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('installation of the App'),
  GITHUB_READER_APP_ID: whole(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      'a second, public GitHub App that only reads, which founders install in repositories of their own; without it there are none',
    ),
  GITHUB_READER_APP_PRIVATE_KEY: z.string().min(1).optional().describe('PEM key of the second App'),
  GITHUB_ORGANIZATION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,39}$/, 'must be at most 39 letters, digits and hyphens')
    .default('bounty-marketplace')
    .describe('organization that owns the repositories'),
  GITHUB_WEBHOOK_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe(
      'secret that signs the deliveries of the code host to /github/webhook, at least 16 characters; without it there is no such path',
    ),
  GITHUB_API_URL: url
    .default('https://api.github.com')
    .describe('REST address; set it for GitHub Enterprise'),

  WALLET_MASTER_KEY: z
    .string()
    .min(32)
    .optional()
    .describe('secret that seals managed wallets, at least 32 characters'),
  WALLET_MASTER_KEY_VERSION: whole(1, 32_767)
    .default(1)
    .describe('version of the master key; raise it by one when you change the key'),
  WALLET_MASTER_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe('master key of the version before, which still opens wallets until they are sealed anew'),

  PLATFORM_FEE_BPS: whole(0, 2000)
    .default(500)
    .describe('platform fee on payouts in basis points; the contract refuses more than 2,000'),
  BOUNTY_RESERVE_BPS: whole(0, 5000)
    .default(1000)
    .describe(
      "share of a new token's supply that is reserved for bounties, in basis points; applies to newly deployed contracts",
    ),
  DOLLAR_ADDRESS: address
    .optional()
    .describe(
      'stablecoin with ERC-3009, such as USDC, that founders can lock for bounties; applies to newly deployed contracts; unset: none, or that of the embedded chain',
    ),
  DOLLAR_DAILY_CAP: whole(1, 1_000_000_000)
    .default(5000)
    .describe(
      'dollars that newly deployed contracts pay in a day at most; the owner of the contracts can change it later',
    ),
  PAYOUTS_ENABLED: flag
    .default(true)
    .describe('false stops payouts, except those that have a nonce already; approvals get 503'),
  STANDING_MIN_ETH: ether
    .optional()
    .describe(
      'ETH for which a payout can be sold when it begins, so that it counts for the standing of the contributor; default: 0 with the embedded chain, else 0.0002; with 0 each payout counts',
    ),
  UNBACKED_PAYOUTS_PER_DAY: whole(0, 1_000_000)
    .default(100)
    .describe(
      'payouts per founder in 24 hours that cannot be sold for STANDING_MIN_ETH; the operator keys pay their gas; no limit where that is 0, and with RATE_LIMITS=off',
    ),
  WITHDRAWALS_ENABLED: flag
    .default(true)
    .describe(
      'false stops withdrawals and allowances; new ones get 503 and queued ones wait until they expire',
    ),
  WITHDRAWALS_PER_DAY: whole(0, 1_000_000)
    .default(5)
    .describe('withdrawals and allowances per agent in 24 hours; the operator keys pay their gas'),
  DEPOSITS_PER_DAY: whole(0, 1_000_000)
    .default(20)
    .describe('deposits of dollars per agent in 24 hours; the operator keys pay their gas'),
  WITHDRAWAL_GAS_ETH_PER_DAY: ether
    .default('0.1')
    .describe(
      'ETH that the gas of all withdrawals, allowances and deposits within 24 hours may cost at most',
    ),
  ACTIVATIONS_PER_DAY: whole(0, 1_000_000)
    .default(10)
    .describe(
      'activations per agent in 24 hours, failed ones not counted; the operator keys pay their gas; no limit with RATE_LIMITS=off',
    ),
  ACTIVATION_GAS_ETH_PER_DAY: ether
    .default('0.1')
    .describe('ETH that the gas of all activations within 24 hours may cost at most'),
  MAX_OPEN_BOUNTIES: whole(1, 1_000_000)
    .default(1000)
    .describe('bounties of a project that are not done or cancelled, at most'),
  MAX_PROPOSED_PROJECTS: whole(1, 1_000_000)
    .default(50)
    .describe('projects of an agent that wait for their activation, at most'),
  MAX_REVISIONS: whole(1, 1_000_000).default(100).describe('revisions of a bounty, at most'),
  CLAIM_HOURS_EASY: whole(1, 8760).default(24).describe('hours that a claim of an easy bounty lasts'),
  CLAIM_HOURS_MEDIUM: whole(1, 8760).default(72).describe('hours that a claim of a medium bounty lasts'),
  CLAIM_HOURS_HARD: whole(1, 8760).default(168).describe('hours that a claim of a hard bounty lasts'),
  CLAIM_HOURS_EXTREME: whole(1, 8760).default(336).describe('hours that a claim of an extreme bounty lasts'),
  CLAIM_PROOF_HOURS: whole(1, 8760)
    .default(12)
    .describe(
      'hours after which work of a claimant without standing must be seen at the latest; a quarter of the claim where that is less',
    ),
  REVIEW_DAYS: whole(1, 365)
    .default(7)
    .describe(
      'days that a founder has for a review; a later one counts as overdue in the record of the founder',
    ),
  ACCEPTANCE_HOUR_SECONDS: whole(1, 3600)
    .default(3600)
    .describe('seconds that an hour of an acceptance rule lasts; fewer only to try the service out'),
  EVENT_RETENTION_DAYS: whole(1, 3650)
    .default(30)
    .describe('days after which a cursor of the events is too old, and deliveries of webhooks are deleted'),
  MAX_EVENT_WAITS: whole(0, 9000)
    .default(5000)
    .describe(
      'requests per process that may wait for events, visitors of the board in a quarter of the places; more get an empty page at once',
    ),
  WEBHOOKS_ALLOW_LOOPBACK: flag
    .optional()
    .describe(
      'true lets webhooks reach this machine, with http and any port; default: true with the embedded database, else false',
    ),
  APPROVE_WAIT_SECONDS: whole(1, 600).default(60).describe('how long an approval waits for its payout'),
  ACTIVATE_WAIT_SECONDS: whole(1, 600)
    .default(60)
    .describe('how long an activation request waits for the activation'),

  MAX_REQUESTS_IN_FLIGHT: whole(1, 100_000)
    .default(500)
    .describe(
      'maximum concurrent requests per process and bulkhead; excess requests queue briefly, then get 503',
    ),
  REMEMBER_RESPONSES: flag
    .default(true)
    .describe('true caches responses to public reads; set false if the database is not a single Postgres'),
  SDK_PUBLISHED: flag
    .default(false)
    .describe('true once the name of the SDK in the npm registry is ours: pages then name it'),
  RATE_LIMITS: z
    .enum(['on', 'off'])
    .optional()
    .describe('on or off; default: on, but off with the embedded database'),
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: whole(1, 1_000_000)
    .default(60)
    .describe('registrations per address and hour'),
  RATE_LIMIT_WRITES_PER_MINUTE: whole(1, 1_000_000)
    .default(120)
    .describe('requests that write, per agent and minute, and as many by its access tokens'),
  RATE_LIMIT_NEWCOMER_CLAIMS_PER_HOUR: whole(1, 1_000_000)
    .default(10)
    .describe('claims per address and hour by agents without standing; refused ones do not count'),
  MERGES_PER_HOUR: whole(1, 1_000_000)
    .default(30)
    .describe('merges per agent and hour; refused ones do not count'),
  RATE_LIMIT_READS_PER_MINUTE: whole(1, 1_000_000)
    .default(1200)
    .describe('public reads per address and minute'),
  TRUSTED_PROXIES: list(network)
    .optional()
    .describe('addresses or networks whose X-Forwarded-For header is trusted'),
  CORS_ORIGINS: list(z.string())
    .default(['*'])
    .describe('origins that browsers may call from, separated by commas'),
})
