import type { Logger } from 'pino'
import type { RepositoryAuth } from '../../code/host/client.ts'
import type { ReaderAuth } from '../../code/host/clients.ts'
import { createRepositories, type Repositories } from '../../code/host/repositories.ts'
import type { Config } from '../../config/config.ts'
import type { Embedded } from '../../embedded/index.ts'

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

/** The credentials of the App that founders install in repositories of their own. */
function readerAuth(config: Config): ReaderAuth | undefined {
  const { GITHUB_READER_APP_ID: appId, GITHUB_READER_APP_PRIVATE_KEY: privateKey } = config
  return appId && privateKey ? { appId, privateKey } : undefined
}

/** The configured code host, or the embedded one; null where there is none. */
export function connectRepositories(
  config: Config,
  embedded: Embedded | undefined,
  log: Logger,
): Repositories | null {
  const auth = repositoryAuth(config)
  const host = { organization: config.GITHUB_ORGANIZATION, marketplaceUrl: config.PUBLIC_URL, log }
  const apiUrl = config.GITHUB_API_URL
  if (auth) return createRepositories({ ...host, apiUrl, auth, reader: readerAuth(config) })
  const local = embedded?.github
  if (!local) return null
  return createRepositories({
    ...host,
    apiUrl: local.apiUrl,
    webUrl: local.webUrl,
    auth: { token: local.token },
    reader: { token: local.token },
  })
}
