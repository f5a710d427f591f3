import { until } from '../../../../support/until.ts'
import type { createFixture } from './fixture.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** The ids of the events that came. */
export const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'])

/** Responds with a status. */
export const respondWith =
  (status: number): Receiver['respond'] =>
  (_request, response) =>
    void response.writeHead(status).end()

/** Never responds. */
export const hang: Receiver['respond'] = () => undefined

/** What tests wait for on a fixture. */
export function conditionsOn(fixture: Awaited<ReturnType<typeof createFixture>>) {
  const isStatus = (id: string, status: string) => async () =>
    (await fixture.deliveries(id)).every((delivery) => delivery.status === status)
  const isDisabled = (id: string) => async () => (await fixture.row(id)).disabled_at !== null
  const isFailing = (id: string) => async () => (await fixture.row(id)).failing_since !== null

  /** A webhook at which nothing arrives, with `events` events, after the first round. */
  async function failing(status = 500, events = 1) {
    const receiver = await startReceiver()
    receiver.respond = respondWith(status)
    const webhook = await fixture.webhook(receiver.url)
    for (let count = 0; count < events; count++) await fixture.event(webhook.agentId)
    const worker = fixture.work()
    await until(
      // In this order: what has arrived was sent under a lease, which ends with the round.
      async () => receiver.received.length > 0 && (await fixture.row(webhook.id)).lease_owner === null,
    )
    return { receiver, webhook, worker }
  }
  return { isStatus, isDisabled, isFailing, failing }
}
