import { ConfigError, readConfig, suspectNames } from '../config/config.ts'
import { checkChain } from './checks/chain.ts'
import { checkDatabase } from './checks/database.ts'
import { type Finding, warn, wrong } from './checks/finding.ts'
import { checkGitHub } from './checks/github.ts'
import { checkService } from './checks/service.ts'

/** Everything that is right, doubtful or wrong with the settings in `environment`, found without changing anything. */
export async function checkConfiguration(
  environment: Record<string, string | undefined>,
): Promise<Finding[]> {
  const suspects = suspectNames(environment).map((line) => warn('environment', line))
  try {
    const config = readConfig(environment)
    const [withDatabase, github] = await Promise.all([
      checkDatabase(config, (db) => checkChain(config, db)),
      checkGitHub(config),
    ])
    return [...suspects, ...withDatabase, ...github, ...checkService(config)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.message.split('\n').map((line) => line.replace(/^setting /, ''))
    return [...suspects, ...lines.map(splitLine)]
  }
}

function splitLine(line: string): Finding {
  const colon = line.indexOf(': ')
  return wrong(line.slice(0, colon), line.slice(colon + 2))
}
