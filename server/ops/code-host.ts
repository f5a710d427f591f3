/*
 * npm run code-host: only the embedded stand-in for GitHub, for a service that has a database and a chain but no code
 * host yet. It listens on EMBEDDED_GITHUB_PORT, as when the service starts it, and ignores PORT.
 */
import { join } from 'node:path'
import { readConfig } from '../config/config.ts'
import { startGitHub } from '../embedded/github/github.ts'
import { openDataFolder } from '../embedded/index.ts'
import { localUrl } from '../startup/local-url.ts'
import { watchParent } from '../startup/shutdown.ts'
import { explain } from './explain.ts'

const log = { info: console.log, warn: console.log }

try {
  const config = readConfig(process.env)
  const folder = await openDataFolder(config.DATA_DIR)
  const { apiUrl, webUrl, connectTo, stop } = await startGitHub({
    directory: join(folder.path, 'github'),
    port: config.EMBEDDED_GITHUB_PORT,
    organization: config.GITHUB_ORGANIZATION,
    token: config.GITHUB_TOKEN,
    webhookSecret: config.GITHUB_WEBHOOK_SECRET,
    log,
  })
  connectTo(config.PUBLIC_URL ?? localUrl(config.HOST, config.PORT))
  const end = async () => {
    await stop()
    await folder.close()
    process.exit(0)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  if (process.env.npm_lifecycle_event !== undefined) watchParent(end)
  console.log(`Code host  ${webUrl}/${config.GITHUB_ORGANIZATION}`)
  console.log(
    `For the service set GITHUB_API_URL=${apiUrl} and GITHUB_TOKEN to ${acceptedToken(config.GITHUB_TOKEN)}`,
  )
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

/** Never shows the token itself. */
function acceptedToken(token: string | undefined): string {
  return token === undefined ? 'any token' : 'the same token as here'
}
