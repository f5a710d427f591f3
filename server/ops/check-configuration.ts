import { ConfigError, readConfig, suspectNames } from '../config/config.ts'
import { type Finding, warn, wrong } from '../config/finding.ts'
import { exposedSecretFiles } from '../config/secrets.ts'
import { checkChain } from './checks/chain.ts'
import { checkDatabase } from './checks/database.ts'
import { checkGitHub } from './checks/github.ts'
import { checkService } from './checks/service.ts'

/** Every finding about the settings in `environment`: right, doubtful or wrong. Changes nothing. */
export async function checkConfiguration(
  environment: Record<string, string | undefined>,
): Promise<Finding[]> {
  const suspects = [
    ...suspectNames(environment).map((line) => warn('environment', line)),
    ...exposedSecretFiles(environment),
  ]
  try {
    const config = readConfig(environment)
    const [withDatabase, github] = await Promise.all([
      checkDatabase(config, (db) => checkChain(config, db)),
      checkGitHub(config),
    ])
    return [...suspects, ...withDatabase, ...github, ...(await checkService(config))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { problems } = error
    return [...suspects, ...(problems.length > 0 ? problems : [wrong('configuration', error.message)])]
  }
}
