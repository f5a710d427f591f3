/**
 * A receiver of webhooks: echoes the challenge, verifies what comes and prints each event once. It asks for a test event, and
 * ends when that has come.
 *
 *   npx tsx examples/webhook-receiver.ts http://127.0.0.1:3000 [https address that leads to this machine's port] [port]
 *
 * The service of `npm start` reaches this machine without an address of its own; others send to public https addresses only.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Marketplace } from '@bounty-marketplace/sdk'
import { challengeResponse, verifyWebhook, WebhookVerificationError } from '@bounty-marketplace/sdk/webhooks'
import { register } from './support/register.ts'

const [baseUrl = 'http://127.0.0.1:3000', publicUrl, port = '0'] = process.argv.slice(2)
// Making and ending webhooks needs the key; receiving needs neither key nor token, only the webhook's secret.
const { market, withKey } = await register(new Marketplace({ baseUrl, apiKey: null }), 'Receiver')

/** Known once the webhook is there: keep it like a password. */
let secret: string | undefined
/** Ids of the events that have come: a delivery may come twice. Keep them for a few days. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const { status, body } = await receive(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
})
server.listen(Number(port), publicUrl ? undefined : '127.0.0.1')
await once(server, 'listening')
const url = publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const created = await withKey.webhooks.create({ url })
secret = created.secret
console.log(`created ${created.webhook.id}`)
await market.webhooks.test(created.webhook.id)
await once(server, 'close')
await withKey.webhooks.delete(created.webhook.id)

/** Responds at once. Work that takes longer goes elsewhere: the service waits 15 seconds. */
async function receive(request: IncomingMessage): Promise<{ status: number; body?: object }> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > 65_536) return { status: 413 }
  const body = await text(request)
  const echo = challengeResponse(body)
  if (echo) return { status: 200, body: echo }
  if (!secret) return { status: 503 } // the service tries again
  try {
    const { data: event } = await verifyWebhook(request.headers, body, secret)
    if (!seen.has(event.id)) console.log(`${event.type} for ${event.agent_id}`)
    seen.add(event.id)
    if (event.type === 'webhook.tested') server.close()
    return { status: 204 }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.log(`refused: ${error.reason}`)
    return { status: 400 }
  }
}
