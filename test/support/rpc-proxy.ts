import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replaces the result of a call, as a faulty node would. */
export type AlterResult = (call: { method: string; params: unknown[] }, result: unknown) => unknown

/** Why a node refuses a call; undefined for calls that it answers. */
export type Refuse = (call: { method: string; params: unknown[] }) => string | undefined

/** The responses that a proxy holds back. */
export interface HeldResponses {
  count(): number
  /** Sends them, and all later ones without delay. */
  release(): void
}

/** A proxy in front of a JSON-RPC node that can simulate failures of the node. */
export interface RpcProxy {
  url: string
  /** From now on connections break, as if the node had ended. */
  disconnect(): void
  /** From now on requests are accepted and get no response. */
  stopResponding(): void
  /** Forwards requests again. */
  restore(): void
  /** From now on `change` replaces results; without it they are the node's own again. */
  alter(change?: AlterResult): void
  /** From now on calls are refused for which `refuse` has a reason; without it none. */
  refuse(refuse?: Refuse): void
  /** From now on responses of the node are held back, unchanged, until they are released. */
  hold(): HeldResponses
  close(): Promise<void>
}

/** Starts a proxy that forwards requests to `target`. */
export async function createRpcProxy(target: string): Promise<RpcProxy> {
  let state: 'forwarding' | 'disconnected' | 'silent' = 'forwarding'
  let alter: AlterResult | undefined
  let refuse: Refuse | undefined
  let released: Promise<void> | undefined
  let held = 0
  const server = createServer(async (request, response) => {
    if (state === 'disconnected') return request.socket.destroy()
    if (state === 'silent') return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const refusal = refuse && refused(refuse, Buffer.concat(chunks))
    if (refusal) return response.writeHead(200, headers).end(refusal)
    const reply = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const body = await reply.text()
    held++
    await released
    response.writeHead(reply.status, headers).end(alter ? altered(alter, Buffer.concat(chunks), body) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect() {
      state = 'disconnected'
    },
    stopResponding() {
      state = 'silent'
    },
    restore() {
      state = 'forwarding'
    },
    alter(change) {
      alter = change
    },
    refuse(when) {
      refuse = when
    },
    hold() {
      held = 0
      let release = (): void => undefined
      released = new Promise((resolve) => {
        release = resolve
      })
      return { count: () => held, release }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function altered(alter: AlterResult, request: Buffer, text: string): string {
  const reply = JSON.parse(text)
  const result = alter(JSON.parse(request.toString()), reply.result)
  return JSON.stringify({ ...reply, result })
}

function refused(refuse: Refuse, request: Buffer): string | undefined {
  const { id, ...call } = JSON.parse(request.toString())
  const message = refuse(call)
  return message && JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message } })
}
