import { readFileSync } from 'node:fs'

/**
 * Settings whose values must never be shown. Each can also be set as a file: `NAME_FILE` is its path. The value then
 * appears neither in a process list nor in an orchestrator's description of the container.
 */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'CHAIN_RPC_URL',
  'OPERATOR_PRIVATE_KEYS',
  'DEPLOYER_PRIVATE_KEY',
  'GITHUB_TOKEN',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_WEBHOOK_SECRET',
  'WALLET_MASTER_KEY',
  'WALLET_MASTER_KEY_PREVIOUS',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** Reads every `NAME_FILE`. Returns its content under `NAME`, and one line for each file that cannot be read. */
export function readSecretFiles(environment: Record<string, string | undefined>): {
  values: Record<string, string>
  problems: { setting: string; text: string }[]
} {
  const values: Record<string, string> = {}
  const problems: { setting: string; text: string }[] = []
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) {
      problems.push({ setting: name, text: `set it or ${name}_FILE, not both` })
      continue
    }
    try {
      values[name] = readFileSync(path, 'utf8').trim()
      if (values[name] === '') problems.push({ setting: `${name}_FILE`, text: 'the file is empty' })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push({ setting: `${name}_FILE`, text: `the file cannot be read (${code})` })
    }
  }
  return { values, problems }
}
