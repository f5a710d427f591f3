import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { relaySettings } from '../../money/relays/support/relays.ts'
import { readDocument } from '../../openapi/truth.ts'
import { obliging } from '../../support/code-host.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { expectInvariants } from './invariants.ts'
import { memory } from './memory.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'
import { createWorld, type FuzzAnswer, type World } from './world.ts'

const atOnce = 40
/** How long approvals and activations may wait for the chain, and requests for the code host. */
const waitMs = 20_000
/** Memory by which a run may grow once the caches, which are bounded, are full, in bytes. */
const mostGrowth = 32 * 2 ** 20
/** Requests after which caches and compiled code are as large as they get. */
const settledAfter = 100_000

/** Declares the test with so many requests; `seed` repeats those of another run. */
export function testFuzz(total: number, seed?: number): void {
  const document = readDocument()
  let market: TestMarket
  let world: World
  beforeAll(async () => {
    market = await createTestMarket({
      // A busy machine is no code host that has failed.
      codeHostMs: waitMs,
      onGitHubRequest: obliging,
      settings: {
        ...relaySettings,
        DATABASE_POOL_SIZE: '16',
        ACTIVATE_WAIT_SECONDS: String(waitMs / 1000),
        APPROVE_WAIT_SECONDS: String(waitMs / 1000),
      },
    })
    world = await createWorld(market)
  })
  afterAll(() => world.close())

  test(
    `${total} requests derived from the document: none fails the service, all are described, the database stays whole`,
    async () => {
      const seen = new Map<string, Set<number>>()
      let settled = Number.NaN
      const batch = fc.array(requestsOf(document), { minLength: atOnce, maxLength: atOnce, size: 'max' })
      let sent = 0
      const property = fc.asyncProperty(batch, async (requests) => {
        await Promise.all(
          requests.map(async (request) => noteResponse(request, await world.send(request), seen)),
        )
        sent += atOnce
        if (sent === settledAfter) settled = await memory()
      })
      await fc.assert(property, {
        numRuns: Math.ceil(total / atOnce),
        // Each request changes what the next one meets, so a smaller failing batch would be another scenario.
        endOnFailure: true,
        ...(seed !== undefined && { seed }),
      })
      const tame = [...seen].filter(
        ([, statuses]) => Math.min(...statuses) >= 300 || Math.max(...statuses) < 400,
      )
      // A short run leaves out one way of some operations by chance.
      if (total >= 10_000) expect(tame.map(([id]) => id)).toEqual([])
      expect(seen.size).toBe(Object.values(document.paths).flatMap((path) => Object.keys(path)).length)
      if (total > settledAfter) expect((await memory()) - settled).toBeLessThan(mostGrowth)
      await expectInvariants(market)
    },
    Math.max(300_000, total * 20),
  )
}

function noteResponse(
  request: FuzzRequest,
  { status, code }: FuzzAnswer,
  seen: Map<string, Set<number>>,
): void {
  const { operationId } = request
  if (status >= 500) throw new Error(`${operationId}: ${status} ${code}: ${JSON.stringify(request)}`)
  seen.set(operationId, (seen.get(operationId) ?? new Set()).add(status))
}
