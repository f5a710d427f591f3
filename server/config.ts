import { z } from 'zod'

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, '0x and 40 hex characters')
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, '0x and 64 hex characters')
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'a whole number').transform(Number).pipe(z.number().min(min).max(max))
const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item))
const url = z.url({ protocol: /^https?$/ })

/** Every setting, read from the environment once. Units stand in the names or in the descriptions. */
const settings = z.object({
  PORT: whole(0, 65_535).default(3000).describe('port to listen on'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  PUBLIC_URL: url.optional().describe('base address agents use, where a proxy stands in front'),
  DATA_DIR: z.string().default('.data').describe('folder of the embedded parts and generated secrets'),
  EMBEDDED: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto starts an embedded part for each one not configured; off never does'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('least severe log line written'),

  EMBEDDED_CHAIN_PORT: whole(1, 65_535)
    .default(8545)
    .describe('port of the embedded chain; another free one where it is taken'),
  EMBEDDED_GITHUB_PORT: whole(1, 65_535)
    .default(3001)
    .describe('port of the embedded GitHub stand-in; another free one where it is taken'),

  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('Postgres to use instead of the embedded one'),
  DATABASE_POOL_SIZE: whole(2, 500).default(10).describe('connections per process'),

  CHAIN_RPC_URL: list(url)
    .optional()
    .describe('JSON-RPC addresses of one chain, the preferred first, separated by commas'),
  CHAIN_ID: whole(1, Number.MAX_SAFE_INTEGER).optional().describe('chain id the node must report'),
  CHAIN_NAME: z.string().max(100).optional().describe('name shown to agents; default from the chain id'),
  CHAIN_PUBLIC_RPC_URL: url.optional().describe('JSON-RPC address agents may use'),
  CHAIN_EXPLORER_URL: url.optional().describe('block explorer agents may use'),
  OPERATOR_PRIVATE_KEYS: list(privateKey)
    .optional()
    .describe('keys that send payouts and deploys, separated by commas; each is a lane'),
  PLATFORM_WALLET_ADDRESS: address
    .optional()
    .describe('an existing platform wallet contract; default: deployed or adopted at start'),
  OWNER_ADDRESS: address.optional().describe('owner of newly deployed contracts; default the first operator'),
  TREASURY_ADDRESS: address
    .optional()
    .describe('receiver of fees of newly deployed contracts; default the owner'),
  CONFIRMATIONS: whole(1, 1000)
    .default(1)
    .describe('blocks, the mined one included, after which a receipt counts'),
  FINALITY_BLOCKS: whole(1, 100_000)
    .default(64)
    .describe('blocks after which a receipt is looked at no more'),
  REPLACE_AFTER_SECONDS: whole(1, 3600)
    .default(45)
    .describe('age of an unmined transaction at which its fees are raised'),
  LANE_LEASE_SECONDS: whole(1, 600)
    .default(10)
    .describe('how long a process that fell silent keeps an operator key'),

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
  GITHUB_ORGANIZATION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,39}$/)
    .default('bounty-marketplace')
    .describe('organization that owns the repositories'),
  GITHUB_API_URL: url
    .default('https://api.github.com')
    .describe('REST address; set it for GitHub Enterprise'),

  WALLET_MASTER_KEY: z
    .string()
    .min(32)
    .optional()
    .describe('secret that seals managed wallets, at least 32 characters'),
  WALLET_MASTER_KEY_VERSION: whole(1, 32_767).default(1).describe('raised when the master key is changed'),

  PLATFORM_FEE_BPS: whole(0, 5000).default(500).describe('platform fee on payouts in basis points'),
  BOUNTY_RESERVE_BPS: whole(0, 10_000)
    .default(1000)
    .describe(
      "share of a new token's supply reserved for bounties, in basis points; for newly deployed contracts",
    ),
  PAYOUTS_ENABLED: flag.default(true).describe('false answers approvals with 503'),
  APPROVE_WAIT_SECONDS: whole(1, 600).default(60).describe('how long an approval waits for its payout'),
  ACTIVATE_WAIT_SECONDS: whole(1, 600).default(60).describe('how long an activation is waited for'),

  RATE_LIMITS: z
    .enum(['on', 'off'])
    .optional()
    .describe('default on, but off while the database is the embedded one'),
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: whole(1, 1_000_000)
    .default(60)
    .describe('registrations per address and hour'),
  RATE_LIMIT_WRITES_PER_MINUTE: whole(1, 1_000_000)
    .default(120)
    .describe('authenticated requests that write, per agent and minute'),
  RATE_LIMIT_READS_PER_MINUTE: whole(1, 1_000_000)
    .default(1200)
    .describe('public reads per address and minute'),
  TRUSTED_PROXIES: list(z.string())
    .optional()
    .describe('addresses or networks whose X-Forwarded-For is believed'),
  CORS_ORIGINS: list(z.string())
    .default(['*'])
    .describe('origins browsers may call from, separated by commas'),
})

/** The validated settings, by the names of their environment variables. */
export type Config = z.infer<typeof settings>

/** Names, defaults and meanings of all settings, for the documentation. */
export const settingsSchema = settings

/** Thrown with one line per wrong setting; no line repeats a value, since values may be secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads all settings from `environment`; an empty variable counts as unset.
 * @throws ConfigError naming every wrong setting at once.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in settings.shape && value !== ''),
  )
  const parsed = settings.safeParse(given)
  const problems = parsed.success
    ? inconsistencies(parsed.data)
    : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  if (!parsed.success || problems.length > 0)
    throw new ConfigError(problems.map((line) => `setting ${line}`).join('\n'))
  return parsed.data
}

function inconsistencies(config: Config): string[] {
  const problems: string[] = []
  if (config.CHAIN_RPC_URL && !config.OPERATOR_PRIVATE_KEYS)
    problems.push('OPERATOR_PRIVATE_KEYS: needed with CHAIN_RPC_URL')
  if (!config.DATABASE_URL && config.EMBEDDED === 'off')
    problems.push('DATABASE_URL: needed with EMBEDDED=off')
  const app = [config.GITHUB_APP_ID, config.GITHUB_APP_PRIVATE_KEY, config.GITHUB_APP_INSTALLATION_ID]
  if (app.some((part) => part !== undefined) && app.includes(undefined))
    problems.push(
      'GITHUB_APP_ID: a GitHub App needs GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_APP_INSTALLATION_ID',
    )
  return problems
}
