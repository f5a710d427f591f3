import { ConfigError, readConfig, suspectNames } from '../config/config.ts'
import { type Finding, warn, wrong } from '../config/finding.ts'
import { exposedSecretFiles } from '../config/secrets.ts'
import { settings } from '../config/settings.ts'
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
    return [
      ...suspects,
      ...whereNothingIsSet(environment),
      ...withDatabase,
      ...github,
      ...(await checkService(config)),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { problems } = error
    return [...suspects, ...(problems.length > 0 ? problems : [wrong('configuration', error.message)])]
  }
}

/** The command started without the environment of the servers would find nothing wrong. */
function whereNothingIsSet(environment: Record<string, string | undefined>): Finding[] {
  const isSet = Object.keys(settings.shape).some((name) => environment[name] || environment[`${name}_FILE`])
  return isSet
    ? []
    : [warn('environment', 'no setting is set: this is a trial with embedded parts, not your servers')]
}
