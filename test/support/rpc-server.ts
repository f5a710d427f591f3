import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { send } from './send.ts'
import { startServer } from './server.ts'

/** A call of JSON-RPC. */
export interface RpcCall {
  id: unknown
  method: string
  params: unknown[]
}

/** A call on its way, and what can become of it. */
export interface Exchange {
  call: RpcCall
  /** Path of the address at which it arrived. */
  path: string
  /** Calls the node at that address, with changes, and resolves with its reply. */
  forwardTo(url: string, changed?: Partial<RpcCall>): Promise<Record<string, unknown>>
  /** Replies with a result or an error. */
  answer(fields: Record<string, unknown>): void
  raw(status: number, type: string, text: string): void
  hangUp(): void
}

/** Starts a server in the place of an EVM node, which treats each call as `serve` says. */
export const startRpcServer = (serve: (exchange: Exchange) => void | Promise<void>) =>
  startServer(async (request, response) => {
    try {
      await serve(exchangeOf(request, response, (await json(request)) as RpcCall))
    } catch {
      request.socket.destroy()
    }
  })

function exchangeOf(request: IncomingMessage, response: ServerResponse, call: RpcCall): Exchange {
  const raw = (status: number, type: string, text: string) => {
    if (!response.destroyed) response.writeHead(status, { 'content-type': type }).end(text)
  }
  return {
    call,
    path: request.url ?? '/',
    raw,
    async forwardTo(url, changed = {}) {
      const { text } = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', ...call, ...changed }),
      })
      return JSON.parse(text) as Record<string, unknown>
    },
    answer: (fields) =>
      raw(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id: call.id, ...fields })),
    hangUp: () => void request.socket.destroy(),
  }
}
