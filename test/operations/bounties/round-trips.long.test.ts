import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'

/*
 * Round trips to the database, authentication and rate limit included: statements of the service that are sent while no
 * other is running. Statements sent while another is running share its round trip.
 */
const mostRoundTrips = 3

const market = await createTestMarket({ settings: { RATE_LIMITS: 'on' }, engines: false })
const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown }
const { query } = prototype
let rounds: string[][] = []
let underway = 0
beforeAll(() => {
  prototype.query = function (this: { database?: string }, ...parameters: unknown[]) {
    if (this.database !== new URL(market.databaseUrl).pathname.slice(1)) return query.apply(this, parameters)
    const text = (parameters[0] as { text?: string }).text ?? String(parameters[0])
    if (underway++ === 0) rounds.push([])
    rounds.at(-1)?.push(text.trim())
    const done = () => void underway--
    const answered =
      (callback: (...got: unknown[]) => void) =>
      (...got: unknown[]) => {
        done()
        callback(...got)
      }
    const callback = parameters.at(-1) as (...got: unknown[]) => void
    if (typeof callback === 'function')
      return query.apply(this, [...parameters.slice(0, -1), answered(callback)])
    const result = query.apply(this, parameters) as Promise<unknown>
    result.then(done, done)
    return result
  }
})
beforeEach(() => {
  rounds = []
})
afterAll(async () => {
  prototype.query = query
  await market.close()
})

/** Round trips of one request that succeeds. */
async function roundTrips(path: string, key: string, body?: object, headers = {}): Promise<number> {
  rounds = []
  const { status } = await market.api('POST', path, { key, body, headers })
  expect(status).toBeLessThan(300)
  if (process.env.SHOW_STATEMENTS) console.log(rounds)
  return rounds.length
}

test('a claim and a submission take three round trips each, and one more for an agent the process has not met', async () => {
  market.startEngines()
  const [first, second, third] = [
    await market.openBounty(),
    await market.openBounty(),
    await market.openBounty(),
  ]
  await market.stopEngines()
  const agent = await market.register()
  const paths = [first, second, third].map(({ id }) => `/api/bounties/${id}`)
  expect(await roundTrips(`${paths[0]}/claim`, agent.key)).toBeLessThanOrEqual(mostRoundTrips)
  expect(await roundTrips(`${paths[1]}/claim`, agent.key)).toBeLessThanOrEqual(mostRoundTrips - 1)
  const key = { 'idempotency-key': randomUUID() }
  const withKey = await roundTrips(`${paths[2]}/claim`, agent.key, undefined, key)
  expect(withKey).toBeLessThanOrEqual(mostRoundTrips - 1)
  const pullRequest = await market.pullRequest(first.project)
  const submitted = await roundTrips(`${paths[0]}/submit`, agent.key, { pr_url: pullRequest })
  expect(submitted).toBeLessThanOrEqual(mostRoundTrips)
})

test('a new bounty with an Idempotency-Key is stored by one statement, without a transaction around it', async () => {
  market.startEngines()
  const project = await market.activeProject()
  await market.stopEngines()
  const body = { title: 'Lexer', description: 'Tokenize.', reward_amount: 10 }
  const create = () =>
    roundTrips(`/api/projects/${project.id}/bounties`, project.founder.key, body, {
      'idempotency-key': randomUUID(),
    })
  await create()
  await create()
  const statements = rounds.flat()
  expect(statements.filter((text) => /^(begin|commit)/i.test(text))).toEqual([])
  expect(statements.filter((text) => /insert into "bounties"/.test(text))).toEqual([
    expect.stringMatching(/"bounty_texts".*into activity .*"idempotency_keys"/s),
  ])
})
