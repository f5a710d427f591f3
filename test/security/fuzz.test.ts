import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readDocument } from '../openapi/truth.ts'
import { createTestMarket } from '../support/market.ts'
import { createCost } from './fuzz/cost.ts'
import { expectInvariants } from './fuzz/invariants.ts'
import { type FuzzRequest, requestsOf } from './fuzz/requests.ts'
import { createWorld, type FuzzAnswer } from './fuzz/world.ts'

const seed = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}
const total = Number(process.env.FUZZ_REQUESTS ?? 20_000)
const atOnce = 40
/** How long approvals and activations may wait for the chain. */
const waitMs = 20_000
/** Memory by which a long run may grow once the caches, which are bounded, are full, in bytes. */
const mostGrowth = 32 * 2 ** 20
const settledAfter = 100_000
const isLong = total > 20_000

const document = readDocument()
const market = await createTestMarket({
  // A busy machine is no code host that has failed.
  codeHostMs: waitMs,
  settings: {
    DATABASE_POOL_SIZE: '16',
    ACTIVATE_WAIT_SECONDS: String(waitMs / 1000),
    APPROVE_WAIT_SECONDS: String(waitMs / 1000),
  },
})
// Closing it also compares every exchange with the document.
afterAll(market.close)
const world = await createWorld(market)
afterAll(world.close)

test(
  `${total} requests derived from the document: none fails the service, none takes over 1 s, all are described, memory and database stay whole`,
  async () => {
    const seen = new Map<string, Set<number>>()
    const cost = createCost({ 'bounties.approve': waitMs, 'projects.activate': waitMs })
    let sent = 0
    async function send(requests: FuzzRequest[]): Promise<FuzzAnswer[]> {
      const answers = await Promise.all(requests.map((request) => world.send(request)))
      answers.forEach((answer, index) => {
        const { status, code } = answer
        const { operationId } = requests[index] as FuzzRequest
        if (status >= 500)
          throw new Error(`${operationId}: ${status} ${code}: ${JSON.stringify(requests[index])}`)
        cost.note(operationId, answer)
        seen.set(operationId, (seen.get(operationId) ?? new Set()).add(status))
      })
      return answers
    }
    const slowOnes = (requests: FuzzRequest[], answers: FuzzAnswer[]) =>
      requests.filter(({ operationId }, index) => cost.isSlow(operationId, answers[index] as FuzzAnswer))
    const batch = fc.array(requestsOf(document), { minLength: atOnce, maxLength: atOnce, size: 'max' })
    await fc.assert(
      fc.asyncProperty(batch, async (requests: FuzzRequest[]) => {
        // A machine that others keep busy makes any answer late; what is slow by itself is slow again.
        const slow = slowOnes(requests, await send(requests))
        const again = slow.length > 0 ? slowOnes(requests, await send(requests)) : []
        expect(slow.filter((request) => again.includes(request))).toEqual([])
        sent += atOnce
        if (sent === settledAfter) await cost.settle()
        if (isLong && sent % 50_000 === 0) console.log(`${sent} requests`, ...(await cost.report()))
      }),
      // Each request changes what the next one meets, so a smaller failing batch would be another story.
      { numRuns: Math.ceil(total / atOnce), endOnFailure: true, ...seed },
    )
    const tame = [...seen].filter(
      ([, statuses]) => Math.min(...statuses) >= 300 || Math.max(...statuses) < 400,
    )
    expect(tame).toEqual([])
    expect(seen.size).toBe(Object.values(document.paths).flatMap((path) => Object.keys(path)).length)
    if (total > settledAfter) expect(await cost.grown()).toBeLessThan(mostGrowth)
    await expectInvariants(market)
  },
  Math.max(300_000, total * 20),
)
