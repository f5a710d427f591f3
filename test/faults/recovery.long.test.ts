import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fromSource, run, type ServiceProcess } from '../ops/support/service.ts'
import { createRandom } from '../support/random.ts'
import { sharedPostgres } from '../support/shared/shared.ts'
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
