import { createPrivateKey } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { readAddress } from '../chain/address.ts'
import { isPrivateKey } from '../chain/keys.ts'
import { misspelledNames } from './misspelled.ts'
import { chainPresets } from './presets.ts'
import { readSecretFiles, secretSettings } from './secrets.ts'
import { tracingSettings } from './tracing.ts'

const address = z.string().transform((text, { addIssue }) => {
  const read = readAddress(text)
  if ('address' in read) return read.address
  addIssue(`the address ${read.wrong}`)
  return z.NEVER
})
const privateKey = z.string().refine(isPrivateKey, 'a private key is 0x and 64 hex characters that can sign')
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
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']
const network = z
  .string()
  .refine(
    (value) => namedNetworks.includes(value) || isAddress(value) || isNetwork(value),
    `an IP address, a network such as 10.0.0.0/8, or one of ${namedNetworks.join(', ')}`,
  )
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
  METRICS_PORT: whole(0, 65_535)
    .optional()
    .describe('port that serves Prometheus metrics at /metrics, on the same address; default: none does'),
  ...tracingSettings,

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
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'a streaming replica of DATABASE_URL, which may answer public reads that it has caught up with',
    ),
  DATABASE_POOL_SIZE: whole(2, 500)
    .default(10)
    .describe('connections per process, besides three for reads, and two to a replica'),

  CHAIN_PRESET: z
    .enum(['base', 'base-sepolia'])
    .optional()
    .describe('fills in id, name, addresses and explorer of a well-known chain: base or base-sepolia'),
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
  DEPLOYER_PRIVATE_KEY: privateKey
    .optional()
    .describe('key that deploys missing contracts and adds operators at start; default the first operator'),
  PLATFORM_WALLET_ADDRESS: address
    .optional()
    .describe('an existing platform wallet contract; default: deployed or adopted at start'),
  OWNER_ADDRESS: address.optional().describe('owner of newly deployed contracts; default the deployer'),
  TREASURY_ADDRESS: address
    .optional()
    .describe('receiver of fees of newly deployed contracts; default the owner'),
  CONFIRMATIONS: whole(1, 1000)
    .optional()
    .describe(
      'blocks, the mined one included, after which a receipt counts; default 1 on development chains (31337 and 1337), else 5',
    ),
  FINALITY: z
    .enum(['confirmations', 'safe', 'finalized'])
    .default('confirmations')
    .describe(
      'when a receipt counts: after CONFIRMATIONS blocks, or when besides the node calls its block safe or finalized',
    ),
  FINALITY_BLOCKS: whole(1, 100_000)
    .default(64)
    .describe('blocks after which a receipt is looked at no more'),
  REPLACE_AFTER_SECONDS: whole(1, 3600)
    .default(45)
    .describe('age of an unmined transaction at which its fees are raised'),
  MAX_FEE_GWEI: whole(1, 1_000_000)
    .default(100)
    .describe('highest fee per gas that a transaction offers, in gwei, whatever a node suggests'),
  LANE_LEASE_SECONDS: whole(1, 600)
    .default(5)
    .describe('how long a process that fell silent keeps an operator key'),
  LOW_GAS_PAYOUTS: whole(0, 1_000_000)
    .default(100)
    .describe('payouts an operator key can still pay gas for below which the log and config:check warn'),

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
  BOUNTY_RESERVE_BPS: whole(0, 5000)
    .default(1000)
    .describe(
      "share of a new token's supply reserved for bounties, in basis points; for newly deployed contracts",
    ),
  PAYOUTS_ENABLED: flag.default(true).describe('false answers approvals with 503'),
  APPROVE_WAIT_SECONDS: whole(1, 600).default(60).describe('how long an approval waits for its payout'),
  ACTIVATE_WAIT_SECONDS: whole(1, 600).default(60).describe('how long an activation is waited for'),

  MAX_REQUESTS_IN_FLIGHT: whole(1, 100_000)
    .default(500)
    .describe(
      'requests served at once per process, apart for those that wait for the chain, ask others, or hash keys; some more wait their turn, all beyond are answered 503',
    ),
  REMEMBER_RESPONSES: flag
    .default(true)
    .describe(
      'false makes every response anew from the database, as anything but one Postgres with its replica needs',
    ),
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
  TRUSTED_PROXIES: list(network)
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
 * Reads all settings from `environment`; an empty variable counts as unset, and each secret may be given as a file.
 * @throws ConfigError naming every wrong setting at once.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const secrets = readSecretFiles(environment)
  const own = Object.fromEntries(
    Object.entries({ ...environment, ...secrets.values }).filter(
      ([name, value]) => name in settings.shape && value !== '',
    ),
  )
  const preset = chainPresets[own.CHAIN_PRESET as keyof typeof chainPresets]
  const parsed = settings.safeParse({ ...preset, ...own })
  const problems = [
    ...secrets.problems,
    ...(parsed.success
      ? inconsistencies(parsed.data, preset)
      : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)),
  ]
  if (!parsed.success || problems.length > 0)
    throw new ConfigError(problems.map((line) => `setting ${line}`).join('\n'))
  return parsed.data
}

/** One line for each variable of `environment` that is no setting but nearly one. */
export function suspectNames(environment: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(settings.shape), ...secretSettings.map((name) => `${name}_FILE`)]
  return misspelledNames(environment, known).map(
    ([given, meant]) => `${given} is no setting: was ${meant} meant?`,
  )
}

function inconsistencies(config: Config, preset: Record<string, string> | undefined): string[] {
  const problems: string[] = []
  if (config.CHAIN_RPC_URL && !config.OPERATOR_PRIVATE_KEYS?.length)
    problems.push('OPERATOR_PRIVATE_KEYS: needed with CHAIN_RPC_URL')
  // Two lanes of one key would give out the same nonces.
  const keys = (config.OPERATOR_PRIVATE_KEYS ?? []).map((key) => key.toLowerCase())
  if (new Set(keys).size !== keys.length) problems.push('OPERATOR_PRIVATE_KEYS: the same key is there twice')
  if (config.CHAIN_RPC_URL?.length === 0) problems.push('CHAIN_RPC_URL: names no address')
  if (preset && String(config.CHAIN_ID) !== preset.CHAIN_ID)
    problems.push(`CHAIN_ID: CHAIN_PRESET=${config.CHAIN_PRESET} is chain ${preset.CHAIN_ID}`)
  if (config.DATABASE_REPLICA_URL && !config.DATABASE_URL)
    problems.push('DATABASE_REPLICA_URL: a replica needs DATABASE_URL, the primary it follows')
  if (!config.DATABASE_URL && config.EMBEDDED === 'off')
    problems.push('DATABASE_URL: needed with EMBEDDED=off')
  if (config.METRICS_PORT !== undefined && config.METRICS_PORT !== 0 && config.METRICS_PORT === config.PORT)
    problems.push('METRICS_PORT: has to be another port than PORT')
  const app = [config.GITHUB_APP_ID, config.GITHUB_APP_PRIVATE_KEY, config.GITHUB_APP_INSTALLATION_ID]
  if (app.some((part) => part !== undefined) && app.includes(undefined))
    problems.push(
      'GITHUB_APP_ID: a GitHub App needs GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_APP_INSTALLATION_ID',
    )
  if (config.GITHUB_APP_PRIVATE_KEY && !isPem(config.GITHUB_APP_PRIVATE_KEY))
    problems.push('GITHUB_APP_PRIVATE_KEY: not a PEM private key')
  return problems
}

function isAddress(value: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value)
}

/** A network of length 0 would believe everybody, which no operator can mean. */
function isNetwork(value: string): boolean {
  if (!ipaddr.isValidCIDR(value)) return false
  const [address, length] = ipaddr.parseCIDR(value)
  return length > 0 && isAddress(address.toString()) && isAddress(value.split('/')[0] ?? '')
}

function isPem(pem: string): boolean {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n')).type === 'private'
  } catch {
    return false
  }
}
