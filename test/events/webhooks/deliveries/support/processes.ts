import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundled } from '../../../../support/bundle.ts'
import { until } from '../../../../support/until.ts'
import { conditionsOn, idsOf } from './conditions.ts'
import { type createFixture, masterKey } from './fixture.ts'
import { startReceiver } from './receiver.ts'

type Fixture = Awaited<ReturnType<typeof createFixture>>

/** The ids of events, as they were recorded and as they arrived. */
export interface Sent {
  sent: string[]
  received: unknown[]
}

const preload = join(import.meta.dirname, '../../../../faults/child/preload.ts')
const sender = join(import.meta.dirname, 'sender.ts')

/** Two processes work on the events of eight webhooks. */
export async function sentByTwo(fixture: Fixture): Promise<Sent> {
  const receiver = await startReceiver()
  const webhooks = await Promise.all(Array.from({ length: 8 }, () => fixture.webhook(receiver.url)))
  fixture.work()
  fixture.work()
  const sent: string[] = []
  await Promise.all(
    webhooks.map(async ({ agentId }) => {
      for (let count = 0; count < 15; count++) sent.push(await fixture.event(agentId))
    }),
  )
  const { isStatus } = conditionsOn(fixture)
  for (const { id } of webhooks) await until(isStatus(id, 'delivered'))
  return { sent, received: idsOf(receiver) }
}

/** A process is killed at a step of its work, and another one goes on. */
export async function sentAfterKill(
  fixture: Fixture,
  step: 'delivery sent' | 'deliveries recorded',
  nth: number,
): Promise<Sent> {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  const sent: string[] = []
  for (let count = 0; count < 60; count++) sent.push(await fixture.event(agentId))
  const child = spawn(process.execPath, ['--import', await bundled(preload), await bundled(sender)], {
    env: {
      ...process.env,
      DATABASE_URL: fixture.url,
      WALLET_MASTER_KEY: masterKey,
      FAULT_SWITCHES: JSON.stringify([{ step, nth, action: 'kill' }]),
    },
    stdio: 'ignore',
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  expect(idsOf(receiver).length).toBeGreaterThanOrEqual(3)
  expect((await fixture.row(id)).due_at).not.toBeNull()
  fixture.work()
  await until(conditionsOn(fixture).isStatus(id, 'delivered'))
  return { sent, received: idsOf(receiver) }
}
