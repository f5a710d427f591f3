import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiResponse } from './api.ts'
import { sequenceAll } from './event-log.ts'
import { createTestMarket, type TestMarket } from './market.ts'
import type { TestAgent } from './scenarios.ts'
import { startServer } from './server.ts'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
}

/** How a receiver responds. */
export type Behaviour = (received: Received, response: ServerResponse) => void | Promise<void>

/** Echoes challenges and accepts everything else. */
export const echo: Behaviour = ({ body }, response) => {
  const isChallenge = body.type === 'webhook.challenge'
  response.statusCode = isChallenge ? 200 : 204
  response.end(isChallenge ? JSON.stringify({ challenge: body.data.challenge }) : undefined)
}

/** Starts an HTTP server on this machine that receives webhooks. */
export async function startReceiver(behaviour: Behaviour = echo) {
  const received: Received[] = []
  let behave = behaviour
  const server = await startServer(async (request, response) => {
    const sent = await text(request)
    const one = { headers: request.headers, text: sent, body: JSON.parse(sent) }
    received.push(one)
    await behave(one, response)
  })
  return {
    url: `${server.url}/hook`,
    received,
    /** Responds otherwise from now on. */
    become(next: Behaviour) {
      behave = next
    },
    close: server.close,
  }
}

/** What tests do with webhooks of a market. */
export function webhooksOn(market: Pick<TestMarket, 'api' | 'db'>) {
  const sequence = () => sequenceAll(market.db)
  const call = (method: string, path: string, { key }: { key: string }, body?: unknown) =>
    market.api(method, `/api/webhooks${path}`, { key, body })
  return {
    call,
    /** Creates a webhook that gets nothing of what happened before. */
    async create(agent: { key: string }, url: string, rest: object = {}): Promise<ApiResponse['body']> {
      await sequence()
      const { status, body } = await call('POST', '', agent, { url, ...rest })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    /** Gives every committed entry its position, and webhooks their deliveries. */
    sequence,
    /** Records an event of the agent. Returns its id once it is sequenced. */
    async event(agent: Pick<TestAgent, 'id' | 'key'>): Promise<string> {
      const body = { name: 'P', description: 'D', token_symbol: 'SYM', token_supply: 1000 }
      const { project } = (await market.api('POST', '/api/projects', { key: agent.key, body })).body
      await sequence()
      const entry = market.db.selectFrom('activity').where('project_id', '=', project.id).select('id')
      return (await entry.executeTakeFirstOrThrow()).id
    },
    /** Ends deliveries as the engine does. */
    async settle(webhookId: string, status: 'delivered' | 'failed', eventIds?: string[]): Promise<void> {
      let update = market.db
        .updateTable('webhook_deliveries')
        .set({
          status,
          next_attempt_at: null,
          attempts: 3,
          last_failure: status === 'failed' ? 'timeout' : null,
        })
        .where('webhook_id', '=', webhookId)
      if (eventIds) update = update.where('event_id', 'in', eventIds)
      await update.execute()
    },
  }
}

/** A market without engines, a receiver that echoes challenges, and an agent. */
export async function createWebhookScene() {
  const market = await createTestMarket({ engines: false })
  const receiver = await startReceiver()
  return { market, receiver, hooks: webhooksOn(market), agent: await market.register() }
}
