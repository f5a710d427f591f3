import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a node that is confused answers instead of a result. */
export type AlterResult = (call: { method: string; params: unknown[] }, result: unknown) => unknown

/** What a gate holds back. */
export interface HeldResponses {
  count(): number
  /** Lets them and all later ones through. */
  release(): void
}

/** A way to a JSON-RPC node that can be shut, or lie. */
export interface Gate {
  url: string
  /** From now on connections break, as if the node were gone. */
  shut(): void
  /** From now on requests are accepted and never answered. */
  silence(): void
  open(): void
  /** From now on results are what `change` makes of them; without it they are the node's own again. */
  alter(change?: AlterResult): void
  /** From now on responses of the node are held back as it gave them, until they are released. */
  hold(): HeldResponses
  close(): Promise<void>
}

/** Passes requests on to `target` while it is open. */
export async function createGate(target: string): Promise<Gate> {
  let state: 'open' | 'shut' | 'silent' = 'open'
  let alter: AlterResult | undefined
  let released: Promise<void> | undefined
  let held = 0
  const server = createServer(async (request, response) => {
    if (state === 'shut') return request.socket.destroy()
    if (state === 'silent') return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const body = await answer.text()
    held++
    await released
    response.writeHead(answer.status, headers).end(alter ? altered(alter, Buffer.concat(chunks), body) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut() {
      state = 'shut'
    },
    silence() {
      state = 'silent'
    },
    open() {
      state = 'open'
    },
    alter(change) {
      alter = change
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
  const answer = JSON.parse(text)
  const result = alter(JSON.parse(request.toString()), answer.result)
  return JSON.stringify({ ...answer, result })
}
