import type { Octokit } from '@octokit/rest'
import { createClient } from '../../code/host/client.ts'
import { undefinedIfMissing } from '../../code/host/failures.ts'
import manifest from '../../code/host/github-app-manifest.json' with { type: 'json' }
import reader from '../../code/host/github-reader-app-manifest.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'

const once = { request: { retries: 0 } }

/** What an App was registered with, or what an organization has granted to it. */
interface Grants {
  permissions: Record<string, string | undefined>
  events: string[]
}

/**
 * Compares the App, its installation and its webhook with the manifest and the settings.
 *
 * @throws RequestError if the host refuses or does not respond
 */
export async function checkApp(octokit: Octokit, config: Config): Promise<Finding[]> {
  const { data: app } = await octokit.rest.apps.getAuthenticated(once)
  const { data: installation } = await octokit.rest.apps.getInstallation({
    installation_id: Number(config.GITHUB_APP_INSTALLATION_ID),
    ...once,
  })
  const grants: Grants = { ...installation, permissions: { ...installation.permissions } }
  return [
    ...(app ? compare('GITHUB_APP_ID', 'the App', app as Grants) : []),
    ...compare('GITHUB_APP_INSTALLATION_ID', 'the installation', grants),
    ...checkAccount(installation, config.GITHUB_ORGANIZATION),
    ...(config.GITHUB_WEBHOOK_SECRET ? await checkWebhook(octokit, config) : []),
  ]
}

/**
 * Compares the App that reads the repositories of founders with its manifest.
 * @throws RequestError if the host refuses or does not respond
 */
export async function checkReader(config: Config): Promise<Finding[]> {
  const { GITHUB_READER_APP_ID: appId, GITHUB_READER_APP_PRIVATE_KEY: privateKey } = config
  if (!appId || !privateKey) return []
  const about = 'GITHUB_READER_APP_ID'
  const octokit = createClient(config.GITHUB_API_URL, { appId, privateKey })
  const app = (await octokit.rest.apps.getAuthenticated(once)).data as Grants
  const writes = Object.keys(app.permissions).filter((name) => app.permissions[name] !== 'read')
  return [
    ...compare(about, 'the App', app, reader),
    ...(writes.length > 0 ? [warn(about, `the App may do more than read: ${writes.join(', ')}`)] : []),
  ]
}

function compare(
  about: string,
  whose: string,
  { permissions, events }: Grants,
  wanted: { default_permissions: Record<string, string>; default_events: string[] } = manifest,
): Finding[] {
  const lacking = Object.entries(wanted.default_permissions)
    .filter(([name, level]) => permissions[name] !== level && permissions[name] !== 'write')
    .map(([name, level]) => `${name}: ${level}`)
  const silent = wanted.default_events.filter((event) => !events.includes(event))
  return [
    lacking.length > 0
      ? wrong(about, `${whose} lacks ${lacking.join(', ')}`)
      : ok(about, `${whose} has every permission it needs`),
    ...(silent.length > 0 ? [warn(about, `${whose} does not subscribe to ${silent.join(', ')}`)] : []),
  ]
}

type Installation = Awaited<ReturnType<Octokit['rest']['apps']['getInstallation']>>['data']

function checkAccount({ account, suspended_at }: Installation, organization: string): Finding[] {
  const about = 'GITHUB_APP_INSTALLATION_ID'
  const login = account && 'login' in account ? account.login : 'another account'
  if (login.toLowerCase() !== organization.toLowerCase())
    return [wrong(about, `the installation is in ${login}, not in ${organization}`)]
  return suspended_at ? [wrong(about, 'the installation is suspended')] : []
}

/** The host masks the secret, so only its response to the newest delivery tells whether both have the same one. */
async function checkWebhook(octokit: Octokit, { PUBLIC_URL }: Config): Promise<Finding[]> {
  const about = 'GITHUB_WEBHOOK_SECRET'
  const hook = (await octokit.rest.apps.getWebhookConfigForApp(once).catch(undefinedIfMissing))?.data
  if (!hook?.url) return [warn(about, 'the App has no webhook')]
  const address = PUBLIC_URL && `${PUBLIC_URL.replace(/\/+$/, '')}/github/webhook`
  const newest = (await octokit.rest.apps.listWebhookDeliveries({ per_page: 1, ...once })).data[0]
  const problems = [
    !address && 'PUBLIC_URL is not set, so nobody can tell whether the webhook of the App leads here',
    address && hook.url !== address && `the webhook of the App leads to ${hook.url} instead of ${address}`,
    hook.content_type !== 'json' && 'the webhook of the App has to send application/json',
    !hook.secret && 'the webhook of the App has no secret, so its deliveries are refused',
    Number(hook.insecure_ssl) === 1 && 'the webhook of the App does not verify certificates',
    newest && !isAccepted(newest.status_code) && `the newest delivery got ${outcome(newest)}`,
  ].filter((problem) => typeof problem === 'string')
  const seen = newest ? `the newest delivery was accepted at ${newest.delivered_at}` : 'no delivery yet'
  return problems.length > 0
    ? problems.map((text) => warn(about, text))
    : [ok(about, `the webhook of the App leads here; ${seen}`)]
}

const isAccepted = (status: number) => status >= 200 && status < 300

function outcome({ status, status_code }: { status: string; status_code: number }): string {
  if (status_code === 401) return '401: the App has another secret'
  return status_code > 0 ? `${status_code} ${status}` : `no response: ${status}`
}
