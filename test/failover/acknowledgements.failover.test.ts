import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { play, type Scenario } from '../faults/schedules/run.ts'
import type { World } from '../faults/support/environment.ts'
import { openWorld } from '../faults/support/world.ts'
import { createRandom } from '../support/random.ts'
import { postgresKilled } from './schedules/faults.ts'
import { asynchronousCluster, stopReplication } from './schedules/losses.ts'
import { optionsFor, serversOf } from './schedules/rounds.ts'
import { type Acknowledgements, startAcknowledgements } from './support/acknowledgements/acknowledgements.ts'
import { newWrite } from './support/acknowledgements/requests.ts'
import { type ClusterWorld, openClusterWorld } from './support/deployment.ts'
import { untilBack, writers } from './support/measures.ts'

/** What the clients complain about when they have worked while `act` runs. */
async function complaints(
  world: World,
  servers: (scenario: Scenario) => string[],
  act: (scenario: Scenario, clients: Acknowledgements) => Promise<void>,
): Promise<string[]> {
  let lines: string[] = []
  await play(world, optionsFor([]), createRandom(1), {
    async act(scenario) {
      const clients = await startAcknowledgements(scenario.environment, servers(scenario))
      try {
        await act(scenario, clients)
        lines = await clients.finish()
      } finally {
        await clients.stop()
      }
    },
  })
  return lines
}

describe('the clients complain', () => {
  let clusterWorld: ClusterWorld
  beforeAll(async () => {
    clusterWorld = await openClusterWorld(asynchronousCluster)
  }, 240_000)
  afterAll(() => clusterWorld?.close(), 60_000)

  test('when an asynchronous cluster loses what it has acknowledged', { timeout: 300_000 }, async () => {
    const { cluster, world } = clusterWorld
    const lines = await complaints(
      world,
      () => serversOf(cluster),
      async ({ environment: { fleet } }, { ledger }) => {
        await stopReplication(cluster)
        await delay(3000)
        const struck = await postgresKilled.strike({ cluster, fleet })
        await untilBack(ledger, await struck.over, writers)
        await struck.repair()
      },
    )
    for (const complaint of [
      /bounty \w+ got 404|bounty \w+ was \w+ and is read/,
      /the statistics know/,
      /the cursor \w+ of the log is not valid/,
      /the log lacks/,
      /a repeated write to .* (was done again|got another response|got 4)/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(complaint))
  })

  test('when a write is acknowledged that was never made', { timeout: 300_000 }, async () => {
    const { cluster, world } = clusterWorld
    const lines = await complaints(
      world,
      () => serversOf(cluster),
      async (_, { ledger }) => {
        await delay(1000)
        const body = { name: 'writer of nothing' }
        const agent = { id: 'agent_00000000000000000000', api_key: 'none' }
        const reply = { status: 201, body: { agent }, etag: null, isReplayed: false }
        ledger.acknowledge(
          0,
          { write: newWrite('/api/agents/register', undefined, body), reply },
          { type: 'agent.registered', about: agent.id },
        )
        ledger.addBounty({ id: 'bnt_00000000000000000000', title: 'Nothing', state: 0 })
      },
    )
    for (const complaint of [/bnt_0+ got 404/, /the log lacks agent.registered agent_0+/, /was done again/])
      expect(lines).toContainEqual(expect.stringMatching(complaint))
  })
})

test('the clients complain when a response is remembered for too long', { timeout: 120_000 }, async () => {
  const world = await openWorld(inject('postgresUrl'), {
    patches: [
      { around: 'renewedEntry', by: 'async (_original, _source, state, known) => ({ ...known, state })' },
    ],
  })
  try {
    const lines = await complaints(
      world,
      ({ environment }) => environment.fleet.addresses(),
      () => delay(3000),
    )
    expect(lines).toContainEqual(expect.stringMatching(/bounty \w+ was \w+ and is read|the list has bounty/))
  } finally {
    await world.close()
  }
})
