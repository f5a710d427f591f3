import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createWalletVault } from '../../../../server/crypto/wallet-vault.ts'
import { createDatabase, createPool } from '../../../../server/db/client.ts'
import { until } from '../../../support/until.ts'
import { conditionsOn, hang, idsOf } from './support/conditions.ts'
import { createFixture } from './support/fixture.ts'
import { sentAfterKill, sentByTwo } from './support/processes.ts'
import { startReceiver } from './support/receiver.ts'

const fixture = await createFixture()
const { lines } = fixture
const { isStatus } = conditionsOn(fixture)

test('receivers that hang delay nobody else', async () => {
  const silent = await startReceiver()
  silent.respond = hang
  const hanging = await Promise.all(Array.from({ length: 30 }, () => fixture.webhook(silent.url)))
  for (const { agentId } of hanging) await fixture.event(agentId)
  const quick = await startReceiver()
  const webhooks = await Promise.all(Array.from({ length: 5 }, () => fixture.webhook(quick.url)))
  fixture.work({ timeoutMs: 100_000 })
  await until(() => silent.received.length === hanging.length)
  const sent: string[] = []
  for (let count = 0; count < 10; count++)
    for (const { agentId } of webhooks) sent.push(await fixture.event(agentId))
  await until(() => quick.received.length >= sent.length)
  expect(idsOf(quick).toSorted()).toEqual(sent.toSorted())
  for (const { id } of hanging)
    expect(await fixture.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0 }])
  silent.close()
})

test('two processes send every event, each under its own id', async () => {
  const { sent, received } = await sentByTwo(fixture)
  expect([...new Set(received)].toSorted()).toEqual(sent.toSorted())
})

test('while the database is away nothing is lost, and each attempt more has the same id', async () => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  const operator = createDatabase(createPool(fixture.url, { size: 1 }))
  onTestFinished(() => operator.destroy())
  // Between the attempt and its record every connection of the service ends, and the record fails. A sequence outlives that.
  await sql`create sequence failed_records`.execute(operator)
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin perform nextval('failed_records'); raise 'away'; end $$`.execute(operator)
  const hasFailed = async () =>
    (await sql<{ is_called: boolean }>`select is_called from failed_records`.execute(operator)).rows[0]
      ?.is_called === true
  receiver.respond = async (_request, response) => {
    if (receiver.received.length === 1) {
      await sql`create trigger away before update on webhook_deliveries execute function fail()`.execute(
        operator,
      )
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(operator)
    }
    response.writeHead(204).end()
  }
  const sent = await fixture.event(agentId)
  fixture.work({ timing: { webhooksMs: 20, webhookLeaseSeconds: 1 } })
  await until(hasFailed)
  await until(() => lines.some(({ level, msg }) => level === 40 && msg.includes('trying again')))
  await sql`drop trigger away on webhook_deliveries`.execute(operator)
  await until(isStatus(id, 'delivered'))
  expect(receiver.received.length).toBeGreaterThan(1)
  expect(new Set(idsOf(receiver))).toEqual(new Set([sent]))
})

test.each([
  ['delivery sent', 3],
  ['deliveries recorded', 1],
] as const)(
  'a process that is killed after "%s" loses nothing: another sends the rest, under the same ids',
  async (step, nth) => {
    const { sent, received } = await sentAfterKill(fixture, step, nth)
    expect([...new Set(received)].toSorted()).toEqual(sent.toSorted())
    if (step === 'delivery sent') expect(received.length).toBeGreaterThan(sent.length)
  },
)

test.each([
  ['a process without a master key', null],
  ['a process with another master key', createWalletVault('some other master key of wallets', 7)],
])('%s leaves deliveries to those that can sign, and tells an operator once', async (_, vault) => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  await fixture.event(agentId)
  await fixture.pass(id, 60)
  const worker = fixture.work({ vault })
  await until(() => lines.length > 0)
  for (let count = 0; count < 3; count++) worker.wake()
  await fixture.stop()
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('NEEDS OPERATOR') }])
  expect(receiver.received).toEqual([])
  // It rests, or every poll of the log would wake a worker.
  expect(Number((await fixture.row(id)).due_at)).toBeGreaterThan(Date.now())
  await fixture.pass(id, 60)
  fixture.work()
  await until(isStatus(id, 'delivered'))
})
