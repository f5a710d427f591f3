import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import reader from '../../server/code/host/github-reader-app-manifest.json' with { type: 'json' }
import { fromSource, run, type ServiceProcess } from '../ops/support/service.ts'
import { createCodeHostProxy } from '../support/code-host-proxy.ts'
import { createRandom } from '../support/random.ts'
import { sharedPostgres } from '../support/shared/shared.ts'
import { readRow, setRows } from '../support/stored.ts'
import type { Switch } from './child/kill-switch.ts'
import { defaultOptions, isActive, payoutIs } from './schedules/helpers.ts'
import { createEnvironment, type Environment } from './support/environment.ts'
import { approve, insist } from './support/founder.ts'
import { findFaults } from './support/oracle/oracle.ts'
import { openStage } from './support/stage.ts'

// The unchanged program with its own times, killed in the middle and started again.

const preload = join(import.meta.dirname, 'child/preload.ts')
const random = createRandom(1)
let stage: Awaited<ReturnType<typeof openStage>>
let environment: Environment
let current: ServiceProcess | undefined
/** When the process began to listen; 0 before. */
let listening = 0

beforeAll(async () => {
  stage = await openStage(await sharedPostgres(), { spares: 0 })
}, 120_000)
afterAll(() => stage.close())
afterEach(async () => {
  await end()
  await environment.close()
})

async function end(): Promise<void> {
  current?.signal('SIGKILL')
  await current?.exited
}

/** Starts the program; founders find it as soon as it listens. */
function start(switches: Switch[]): ServiceProcess {
  const [node = '', ...program] = fromSource
  const service = run([node, '--import', 'tsx', '--import', preload, ...program.slice(2)], {
    EMBEDDED: 'off',
    RATE_LIMITS: 'off',
    PORT: '0',
    ...environment.connections,
    FAULT_SWITCHES: JSON.stringify(switches),
  })
  let url: string | undefined
  listening = 0
  service.ready().then(
    (address) => {
      url = address
      listening = performance.now()
    },
    () => undefined,
  )
  void service.exited.then(() => {
    url = undefined
  })
  environment.addresses = () => (url ? [url] : [])
  current = service
  return service
}

function report(what: string, restarted: number): void {
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${what} ${seconds(restarted)} s after the restart, ${seconds(listening)} s after it listened`)
}

async function crashAt(step: string): Promise<void> {
  await start([{ step, nth: 1, action: 'kill' }]).exited
}

test('a payout whose process was killed after storing the bytes is settled by the next one', async () => {
  environment = await createEnvironment(stage, { ...defaultOptions, slots: [] })
  const { id } = environment.fixture.submissions[0]!
  // The next process may have paid before the founder asks it.
  environment.mayBeOver.add(id)
  const over = new AbortController()
  const approval = { submission: 0, keyMode: 'none', strict: true } as const
  const asked = approve(environment, random, approval, () => undefined, over.signal)
  await crashAt('attempt stored')
  const restarted = performance.now()
  start([])
  await payoutIs(environment, 0, 'settled')
  report('settled', restarted)
  await asked
  expect([...(await findFaults(environment)), ...environment.violations]).toEqual([])
}, 120_000)

test('an activation whose process was killed after creating the repository is done by the next one', async () => {
  environment = await createEnvironment(stage, { ...defaultOptions, slots: [] })
  const over = new AbortController()
  const { id, founderKey } = environment.fixture.proposals[0]!
  const request = { path: `/api/projects/${id}/activate`, founderKey, keyMode: 'none' } as const
  const asked = insist(environment, random, request, () => undefined, over.signal)
  await crashAt('repository created')
  const restarted = performance.now()
  start([])
  await isActive(environment, 0)
  report('active', restarted)
  // 409 where it was active before the founder could ask again.
  expect([200, 409]).toContain((await asked)?.status)
  expect([...(await findFaults(environment)), ...environment.violations]).toEqual([])
}, 120_000)

/** Puts a repository that the founder of a project brings, and the App that reads it, before the code host of the environment. */
async function bringRepository(projectId: string) {
  const { connections, db } = environment
  const host = await createCodeHostProxy(connections.GITHUB_API_URL ?? '')
  onTestFinished(host.close)
  const permissions = reader.default_permissions
  const about = { id: 77_000, full_name: 'ada/boat', private: false, archived: false, default_branch: 'main' }
  const token = { token: 'ghs_1', expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions }
  const shown: Record<string, object> = {
    '/app/installations/7/access_tokens': token,
    '/repos/ada/boat/installation': { id: 7, permissions, suspended_at: null },
    '/repos/ada/boat': about,
    '/repos/ada/boat/contents/.github%2Fbounty-market': {
      content: Buffer.from(projectId).toString('base64'),
    },
  }
  host.respond = ({ path }) => {
    const body = shown[path]
    return body && { status: path.endsWith('/access_tokens') ? 201 : 200, body }
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  Object.assign(connections, {
    GITHUB_API_URL: host.apiUrl,
    GITHUB_READER_APP_ID: '9',
    GITHUB_READER_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  await setRows(db, 'projects', { id: projectId }, { wanted_repository: 'ada/boat' })
  return host
}

test.each(['repository created', 'repository recorded', 'deploy queued'])(
  'an activation in a repository of the founder whose process was killed at "%s" is done by the next one, and writes nothing there',
  async (step) => {
    environment = await createEnvironment(stage, { ...defaultOptions, slots: [] })
    const over = new AbortController()
    const { id, founderKey } = environment.fixture.proposals[0]!
    const host = await bringRepository(id)
    const request = { path: `/api/projects/${id}/activate`, founderKey, keyMode: 'none' } as const
    const asked = insist(environment, random, request, () => undefined, over.signal)
    await crashAt(step)
    start([])
    await isActive(environment, 0)
    expect([200, 409]).toContain((await asked)?.status)
    expect(await readRow(environment.db, 'projects', { id })).toMatchObject({
      repo_url: expect.stringMatching(/\/ada\/boat$/),
      repository_id: 77_000,
    })
    const writes = host.requests.filter(
      ({ method, path }) => method !== 'GET' && !path.endsWith('/access_tokens'),
    )
    expect(writes).toEqual([])
    expect([...(await findFaults(environment)), ...environment.violations]).toEqual([])
  },
  120_000,
)
