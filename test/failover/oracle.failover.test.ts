import { expect, test } from 'vitest'
import type { Patch } from '../faults/support/bundle.ts'
import { postgresKilled, proxyKilled } from './schedules/faults.ts'
import { asynchronousCluster, playLoss } from './schedules/losses.ts'
import { playRounds } from './schedules/rounds.ts'
import type { ClusterOptions } from './support/cluster/cluster.ts'
import { type ClusterWorld, openClusterWorld } from './support/deployment.ts'

const timeout = 300_000
const step = 'attempt signed'

const file = 'server/engines/transactions/send/assign.ts'
const find = '  const free = await storeAssignments(tick.db, tick.lease, assignments)\n'

/** What cannot be stored is sent, and stored as soon as there is a database. */
const storedLate: Patch = {
  file,
  find,
  replace: `  const { insertAttempt } = await import('../store.ts')
  const insert = async ({ id, attempt }) => {
    while (await insertAttempt(tick.db, id, attempt).then(() => false, ({ code }) => code !== '23505'))
      await new Promise((next) => setTimeout(next, 1))
  }
  const free = await storeAssignments(tick.db, tick.lease, assignments).catch(async (error) => {
    for (const assignment of assignments) {
      await tick.chain.send(assignment.attempt.raw, 0).catch(() => undefined)
      void insert(assignment)
    }
    throw error
  })
`,
}

/** Bytes are sent first from the moment on at which the chain has used nonces that the database does not know. */
const sentFirstAfterFallBack: Patch[] = [
  {
    file,
    find,
    replace: `  if (globalThis.isBehindTheChain)
    for (const { attempt } of assignments) await tick.chain.send(attempt.raw, 0).catch(() => undefined)
${find}`,
  },
  {
    around: 'reconcile',
    by: 'async (original, ...args) => {\n  globalThis.isBehindTheChain = true\n  return original(...args)\n}',
  },
]

async function problemsOf(
  options: ClusterOptions,
  patches: Patch[],
  run: (world: ClusterWorld) => Promise<{ problems: string[] }>,
): Promise<string[]> {
  const on = await openClusterWorld(options, 'HAProxy', patches)
  try {
    return (await run(on)).problems
  } finally {
    await on.close()
  }
}

const noticed = expect.stringMatching(/^0x\w+ was sent before it was stored$/)

test('the oracle notices bytes that are sent while the database is away, and stored when it is back', {
  timeout,
}, async () => {
  const problems = await problemsOf({ synchronous: true }, [storedLate], ({ world, cluster }) =>
    playRounds(world, cluster, [{ fault: proxyKilled, step }]),
  )
  expect(problems).toContainEqual(noticed)
})

test('the oracle notices bytes that are sent before they are stored after the database has fallen back', {
  timeout,
}, async () => {
  const problems = await problemsOf(asynchronousCluster, sentFirstAfterFallBack, ({ world, cluster }) =>
    playLoss(world, cluster, { fault: postgresKilled, step }),
  )
  expect(problems).toContainEqual(noticed)
})
