import { createPrivateKey } from 'node:crypto'
import type { z } from 'zod'
import { type Finding, inWords, lineAtStart, wrong } from './finding.ts'
import { misspelledNames } from './misspelled.ts'
import { chainPresets } from './presets.ts'
import { ownerSecrets, readSecretFiles, secretSettings } from './secrets.ts'
import { settings } from './settings.ts'

/** The validated settings, named like their environment variables. */
export type Config = z.infer<typeof settings>

/** Thrown with one line per wrong setting. No line repeats a value, because values may be secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** The wrong settings, if the error is about settings that were read. */
  readonly problems: readonly Finding[]

  constructor(message: string | Finding[], options?: ErrorOptions) {
    super(typeof message === 'string' ? message : message.map(lineAtStart).join('\n'), options)
    this.problems = typeof message === 'string' ? [] : message
  }
}

/**
 * Reads all settings of the service, as {@link readSettings}, and refuses those that do not fit together.
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  return readSettings(settings, environment, inconsistencies)
}

/**
 * Reads the settings of `schema` from `environment`: an empty variable counts as unset, each secret may be given as a file,
 * and CHAIN_PRESET stands for those of its chain. `inconsistenciesOf` says what does not fit together.
 * @throws ConfigError naming every wrong setting at once
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined>,
  inconsistenciesOf: (read: z.infer<Schema>) => Finding[] = () => [],
): z.infer<Schema> {
  const isOurs = (name: string) => name in schema.shape
  const secrets = readSecretFiles(environment, [...secretSettings, ...ownerSecrets].filter(isOurs))
  const own = Object.fromEntries(
    Object.entries({ ...environment, ...secrets.values }).filter(
      ([name, value]) => isOurs(name) && value !== '',
    ),
  )
  const given = { ...chainPresets[own.CHAIN_PRESET as keyof typeof chainPresets], ...own }
  const parsed = schema.safeParse(given, { error: inWords })
  const unreadable = (parsed.error?.issues ?? []).map(({ path: [name, index], message }) =>
    wrong(String(name), index === undefined ? message : `entry ${Number(index) + 1} ${message}`),
  )
  const named = new Set(unreadable.map(({ about }) => about))
  const others = parsed.success
    ? parsed
    : schema.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !named.has(name))))
  const isAboutNamed = ({ about, text }: Finding) =>
    [...named].some((name) => about === name || text.includes(name))
  const unfitting = others.success
    ? inconsistenciesOf(others.data).filter((problem) => !isAboutNamed(problem))
    : []
  const problems = [...secrets.problems, ...unreadable, ...unfitting]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return parsed.data
}

/** The parts that nothing is configured of, which run beside the service unless EMBEDDED=off. */
export const missingParts = (config: Config) => ({
  database: !config.DATABASE_URL,
  chain: !config.CHAIN_RPC_URL,
  github: !config.GITHUB_TOKEN && !config.GITHUB_APP_ID,
})

/** One line for each variable of `environment` that looks like a misspelled setting. */
export function suspectNames(environment: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(settings.shape), ...secretSettings.map((name) => `${name}_FILE`)]
  return misspelledNames(environment, known).map(
    ([given, meant]) => `${given} is not a setting: did you mean ${meant}?`,
  )
}

function inconsistencies(config: Config): Finding[] {
  const preset = config.CHAIN_PRESET && chainPresets[config.CHAIN_PRESET]
  const problems: Finding[] = []
  const refuse = (setting: keyof Config, text: string) => problems.push(wrong(setting, text))
  if (config.CHAIN_RPC_URL && !config.OPERATOR_PRIVATE_KEYS?.length)
    refuse('OPERATOR_PRIVATE_KEYS', 'needed with CHAIN_RPC_URL')
  // Two lanes of one key would assign the same nonces.
  const keys = (config.OPERATOR_PRIVATE_KEYS ?? []).map((key) => key.toLowerCase())
  if (new Set(keys).size !== keys.length) refuse('OPERATOR_PRIVATE_KEYS', 'contains the same key twice')
  if (config.CHAIN_RPC_URL?.length === 0) refuse('CHAIN_RPC_URL', 'is empty')
  if (preset && String(config.CHAIN_ID) !== preset.CHAIN_ID)
    refuse('CHAIN_ID', `CHAIN_PRESET=${config.CHAIN_PRESET} is chain ${preset.CHAIN_ID}`)
  if (!config.DATABASE_URL && config.EMBEDDED === 'off') refuse('DATABASE_URL', 'needed with EMBEDDED=off')
  if (config.METRICS_PORT !== undefined && config.METRICS_PORT !== 0 && config.METRICS_PORT === config.PORT)
    refuse('METRICS_PORT', 'must differ from PORT')
  const previousKey = config.WALLET_MASTER_KEY_PREVIOUS
  if (previousKey && !config.WALLET_MASTER_KEY)
    refuse('WALLET_MASTER_KEY_PREVIOUS', 'needs WALLET_MASTER_KEY, the key that replaces it')
  else if (previousKey && previousKey === config.WALLET_MASTER_KEY)
    refuse('WALLET_MASTER_KEY_PREVIOUS', 'is the same as WALLET_MASTER_KEY')
  else if (previousKey && config.WALLET_MASTER_KEY_VERSION === 1)
    refuse(
      'WALLET_MASTER_KEY_PREVIOUS',
      'needs a WALLET_MASTER_KEY_VERSION above 1: it is the key of the version before',
    )
  const app = [config.GITHUB_APP_ID, config.GITHUB_APP_PRIVATE_KEY, config.GITHUB_APP_INSTALLATION_ID]
  if (app.some((part) => part !== undefined) && app.includes(undefined))
    refuse(
      'GITHUB_APP_ID',
      'a GitHub App needs GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_APP_INSTALLATION_ID',
    )
  if (config.GITHUB_APP_PRIVATE_KEY && !isPem(config.GITHUB_APP_PRIVATE_KEY))
    refuse('GITHUB_APP_PRIVATE_KEY', 'not a PEM private key')
  const { GITHUB_READER_APP_ID: reader, GITHUB_READER_APP_PRIVATE_KEY: readerKey } = config
  if ((reader === undefined) !== (readerKey === undefined))
    refuse('GITHUB_READER_APP_ID', 'needs GITHUB_READER_APP_PRIVATE_KEY beside it')
  if (readerKey && !isPem(readerKey)) refuse('GITHUB_READER_APP_PRIVATE_KEY', 'not a PEM private key')
  return problems
}

function isPem(pem: string): boolean {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n')).type === 'private'
  } catch {
    return false
  }
}
