import { type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Random } from '../../../support/random.ts'
import { startServer } from '../../../support/server.ts'

/** What a gateway does to one request. The last two let the service do it first. */
const faults = ['page', 'page', 'empty', 'reset', 'cut', 'lost'] as const
type Fault = (typeof faults)[number]

const statuses = [401, 403, 404, 502, 503, 200, 302]
const passed = ['content-type', 'retry-after', 'x-request-id', 'etag', 'idempotency-replayed']

/** Called once, at the next request that writes: before the service gets it, or after it has done it. */
interface AtWrite {
  when: 'before' | 'after'
  act: () => void
}

/** A gateway in front of the service, through which one program reaches it. */
export interface Gateway {
  url: string
  /** How likely a request is disturbed. */
  chance: number
  atWrite: AtWrite | undefined
  /** How often each fault was there. */
  faults: Record<string, number>
  /** How many requests came in each minute since the beginning. */
  perMinute: number[]
}

interface Response {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** @param target address of the service, which may be down */
export async function startGateway(target: string, random: Random): Promise<Gateway> {
  const began = Date.now()
  const gateway: Gateway = { url: '', chance: 0, atWrite: undefined, faults: {}, perMinute: [] }
  const count = (fault: string) => {
    gateway.faults[fault] = (gateway.faults[fault] ?? 0) + 1
  }
  const server = await startServer(async (request, response) => {
    const minute = Math.floor((Date.now() - began) / 60_000)
    gateway.perMinute[minute] = (gateway.perMinute[minute] ?? 0) + 1
    const fault: Fault | undefined = random.chance(gateway.chance) ? random.pick(faults) : undefined
    if (fault) count(fault)
    try {
      const body = await buffer(request)
      const atWrite = request.method === 'GET' ? undefined : gateway.atWrite
      if (atWrite) gateway.atWrite = undefined
      if (atWrite?.when === 'before') return atWrite.act()
      if (fault === 'page') return page(response, random.pick(statuses))
      if (fault === 'empty') return void response.writeHead(200, json).end('{}')
      if (fault === 'reset') return void request.socket.resetAndDestroy()
      const received = await ask(target, request, response, body)
      if (atWrite) return atWrite.act()
      if (fault === 'lost') return void request.socket.resetAndDestroy()
      if (fault === 'cut') return cut(response, received)
      pass(response, received)
    } catch {
      // The program was killed, or has given up this request.
      if (response.destroyed) return
      count('service is down')
      page(response, 502)
    }
  })
  gateway.url = server.url
  return gateway
}

const json = { 'content-type': 'application/json' }

function page(response: ServerResponse, status: number): void {
  const headers = { 'content-type': 'text/html', ...(status === 302 && { location: '/maintenance' }) }
  response.writeHead(status, headers).end(`<html><body><h1>${status}</h1></body></html>`)
}

function pass(response: ServerResponse, { status, headers, body }: Response): void {
  const kept = passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  response.writeHead(status, Object.fromEntries(kept)).end(body)
}

/** The connection ends in the middle of the body. */
function cut(response: ServerResponse, { status, body }: Response): void {
  response.writeHead(status, { ...json, 'content-length': body.length })
  response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy())
}

async function ask(
  target: string,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<Response> {
  const { host, ...others } = headers
  // A program that was killed leaves its long poll behind.
  const gone = new AbortController()
  if (method === 'GET') response.once('close', () => gone.abort())
  return new Promise((resolve, reject) => {
    const sent = send(
      target + url,
      { method, headers: others, agent: false, signal: gone.signal },
      (received) =>
        buffer(received).then(
          (body) => resolve({ status: received.statusCode ?? 0, headers: received.headers, body }),
          reject,
        ),
    )
    sent.on('error', reject).end(body)
  })
}
