import { readFileSync } from 'node:fs'

/**
 * Settings whose values must be shown to nobody. Each may also be given as a file: `NAME_FILE` holds its path, so that
 * the value stands in no process list and in no orchestrator's description of the container.
 */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'CHAIN_RPC_URL',
  'OPERATOR_PRIVATE_KEYS',
  'DEPLOYER_PRIVATE_KEY',
  'GITHUB_TOKEN',
  'GITHUB_APP_PRIVATE_KEY',
  'WALLET_MASTER_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** `environment` with the contents of every `NAME_FILE` under `NAME`, and a line for each that cannot be had. */
export function readSecretFiles(environment: Record<string, string | undefined>): {
  values: Record<string, string>
  problems: string[]
} {
  const values: Record<string, string> = {}
  const problems: string[] = []
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) {
      problems.push(`${name}: set it or ${name}_FILE, not both`)
      continue
    }
    try {
      values[name] = readFileSync(path, 'utf8').trim()
      if (values[name] === '') problems.push(`${name}_FILE: the file is empty`)
    } catch (error) {
      problems.push(`${name}_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { values, problems }
}
