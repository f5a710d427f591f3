import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { type Api, type ApiResponse, createApi } from '../support/api.ts'
import { createScenarios } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import { deployment } from './support/deployment.ts'
import { startNginx } from './support/nginx.ts'
import { built, run, type ServiceProcess } from './support/service.ts'

const loops = 4

const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''
/** An idle connection was closed, which may cross a request on its way. */
const crossings = ['ECONNRESET', 'EPIPE']

test('two processes restarted in turn under load lose no request, and no payout is lost or doubled', async () => {
  const { settings, chain, github, githubToken: token, databaseUrl } = await deployment({ operators: 2 })
  const ports = await Promise.all([choosePort(), choosePort()])
  const program = await built('main')
  const start = (port: number) => run(program, { ...settings, PORT: String(port) })
  const processes = ports.map(start) as [ServiceProcess, ServiceProcess]
  const addresses = await Promise.all(processes.map((process) => process.ready()))

  // A load balancer in one function: in turn, and to the other one where the connection was refused. Like the SDK's,
  // each write has a key of its own, so that it may be sent again where its connection closed, and which tells whether
  // a process had taken it before.
  const apis = addresses.map(createApi)
  const answers: ApiResponse[] = []
  let turn = 0
  let crossed = 0
  const balanced: Api = async (method, path, request = {}) => {
    const first = turn++
    const headers = { ...(method !== 'GET' && { 'idempotency-key': randomUUID() }), ...request.headers }
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await (apis[(first + attempt) % 2] as Api)(method, path, { ...request, headers })
        answers.push(answer)
        return answer
      } catch (error) {
        const isCrossing = method !== 'GET' && crossings.includes(codeOf(error))
        if (isCrossing) crossed++
        if ((!isCrossing && codeOf(error) !== 'ECONNREFUSED') || attempt === 3) throw error
      }
    }
  }
  const db = createDatabase(createPool(databaseUrl, { size: 2 }))
  try {
    const scenarios = createScenarios({ api: balanced, db, chain, github, token })
    const project = await scenarios.activeProject({ token_supply: 100_000_000 })
    let over = false
    let done = 0
    const load = Promise.all(
      Array.from({ length: loops }, async () => {
        for (const claimant = await scenarios.register(); !over; done++)
          await scenarios.doneBounty({ project, claimant })
      }),
    )
    const restarts = (async () => {
      for (const index of [0, 1] as const) {
        const before = done
        while (done < before + loops) await delay(20)
        processes[index].signal('SIGTERM')
        expect(await processes[index].exited, processes[index].output()).toBe(0)
        processes[index] = start(ports[index] as number)
        await processes[index].ready()
      }
    })().finally(() => {
      over = true
    })
    await Promise.all([load, restarts])

    expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toEqual([])
    // Connections are closed at once, and a loop has one request at a time.
    expect(crossed).toBeLessThanOrEqual(loops * processes.length)
    const payouts = await db.selectFrom('payouts').select(['status', 'payout_id']).execute()
    expect(payouts.filter(({ status }) => status !== 'settled')).toEqual([])
    expect((await chain.payments()).map((paid) => paid.payoutId).sort()).toEqual(
      payouts.map((row) => row.payout_id).sort(),
    )
    expect(payouts.length).toBe(done)
  } finally {
    await db.destroy()
  }
}, 180_000)

test('behind the shipped site of nginx, two servers that are restarted in turn lose no request, and none is done twice', {
  tags: ['linux', 'nginx'],
  timeout: 180_000,
}, async () => {
  const { settings, databaseUrl } = await deployment()
  const [port, ...servers] = [await choosePort(), await choosePort(), await choosePort()]
  const program = await built('main')
  const start = (of: number) => run(program, { ...settings, PORT: String(of) })
  const processes = servers.map(start)
  for (const process of processes) await process.ready()
  await startNginx({ port, servers: servers as [number, number] })
  const api = createApi(`http://127.0.0.1:${port}`)
  await until(async () => (await api('GET', '/healthz').catch(() => undefined))?.status === 200)
  const statuses = new Map<number, number>()
  let registered = 0
  let over = false
  const load = Array.from({ length: loops }, async () => {
    while (!over) {
      for (const answer of [
        await api('GET', '/api/bounties'),
        await api('POST', '/api/agents/register', { body: { name: 'Restarted' } }),
      ])
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      registered++
    }
  })
  for (const [index, of] of servers.entries()) {
    const before = registered
    await until(() => registered > before + 20)
    processes[index]?.signal('SIGTERM')
    expect(await processes[index]?.exited).toBe(0)
    processes[index] = start(of)
    await processes[index]?.ready()
  }
  over = true
  await Promise.all(load)
  expect([...statuses.keys()].sort()).toEqual([200, 201])
  const db = createDatabase(createPool(databaseUrl, { size: 1 }))
  const stored = await db.selectFrom('agents').select('id').where('name', '=', 'Restarted').execute()
  await db.destroy()
  expect(stored).toHaveLength(registered)
})
