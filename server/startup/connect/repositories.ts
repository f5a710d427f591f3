import type { Config } from '../../config/config.ts'
import type { RepositoryAuth } from '../../repositories/client.ts'

/** The configured credentials of the code host: an App where there is one, else a token. */
export function repositoryAuth(config: Config): RepositoryAuth | undefined {
  const {
    GITHUB_APP_ID: appId,
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_APP_INSTALLATION_ID: installationId,
  } = config
  if (appId && privateKey && installationId) return { appId, privateKey, installationId }
  return config.GITHUB_TOKEN ? { token: config.GITHUB_TOKEN } : undefined
}
