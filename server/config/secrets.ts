import { readFileSync, statSync } from 'node:fs'
import { type Finding, warn, wrong } from './finding.ts'

/**
 * Settings whose values must never be shown. Each can also be set as a file: `NAME_FILE` is its path. The value then
 * appears neither in a process list nor in an orchestrator's description of the container.
 */
export const secretSettings = [
  'DATABASE_URL',
  'CHAIN_RPC_URL',
  'OPERATOR_PRIVATE_KEYS',
  'DEPLOYER_PRIVATE_KEY',
  'GITHUB_TOKEN',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_READER_APP_PRIVATE_KEY',
  'GITHUB_WEBHOOK_SECRET',
  'WALLET_MASTER_KEY',
  'WALLET_MASTER_KEY_PREVIOUS',
] as const

/** Keys that only the commands of the contracts read. */
export const ownerSecrets = ['OWNER_PRIVATE_KEY', 'TREASURY_PRIVATE_KEY'] as const

/** One line for each `NAME_FILE` that other accounts of this machine may read. */
export function exposedSecretFiles(environment: Record<string, string | undefined>): Finding[] {
  return [...secretSettings, ...ownerSecrets].flatMap((name) => {
    const path = environment[`${name}_FILE`]
    if (!path || (modeOf(path) & readableByOthers) === 0) return []
    return [warn(`${name}_FILE`, 'other accounts may read the file: chmod 600')]
  })
}

/** 0 where the file cannot be found, which {@link readSecretFiles} reports. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}

const readableByOthers = 0o004

/** Reads each `NAME_FILE` of `names`. Returns its content under `NAME`, and one line for each file that cannot be read. */
export function readSecretFiles(
  environment: Record<string, string | undefined>,
  names: readonly string[],
): {
  values: Record<string, string>
  problems: Finding[]
} {
  const values: Record<string, string> = {}
  const problems: Finding[] = []
  for (const name of names) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) {
      problems.push(wrong(name, `set it or ${name}_FILE, not both`))
      continue
    }
    try {
      values[name] = readFileSync(path, 'utf8').trim()
      if (values[name] === '') problems.push(wrong(`${name}_FILE`, 'the file is empty'))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(wrong(`${name}_FILE`, `the file cannot be read (${code})`))
    }
  }
  return { values, problems }
}
