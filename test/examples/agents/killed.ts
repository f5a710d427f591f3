import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { bundled } from '../../support/bundle.ts'
import { startServer } from '../../support/server.ts'
import { root } from '../support.ts'

/** A request of the agent: the nth since its first start. */
export interface AgentRequest {
  number: number
  method: string
  path: string
}

/**
 * When to kill an agent that has sent this request: before the service gets it, after the service has done it, or so many ms after
 * the agent has got the response, which may be while git runs. `page` kills nothing: once the service has done it, a gateway responds
 * with a page of its own.
 */
export type KillAt = (request: AgentRequest) => 'before' | 'after' | 'page' | number | undefined

/** How one agent lived. */
export interface Life {
  kills: number
  /** How many responses a gateway's page replaced. */
  pages: number
  /** What it printed in all its lives. */
  printed: string
}

const passed = ['authorization', 'content-type', 'idempotency-key']

/**
 * Runs an agent of examples/agents until it ends by itself, and starts it again whenever it was killed. It reaches the service
 * through a proxy that kills it as `killAt` says.
 * @param name of its file: `founder.ts`, `contributor.py`
 */
export async function runKilled(
  name: string,
  baseUrl: string,
  args: string[],
  options: { killAt: KillAt; env: Record<string, string> },
): Promise<Life> {
  const life: Life = { kills: 0, pages: 0, printed: '' }
  let child: ChildProcess | undefined
  let number = 0
  const kill = () => {
    life.kills++
    child?.kill('SIGKILL')
  }
  const proxy = await startServer(async (request, response) => {
    const { method = '', url: path = '' } = request
    number++
    const when = options.killAt({ number, method, path })
    if (when === 'before') return kill()
    const body = await buffer(request)
    const headers = passed.flatMap((header) => {
      const value = request.headers[header]
      return typeof value === 'string' ? [[header, value] as [string, string]] : []
    })
    // A killed agent leaves its requests behind, as a long poll of events.
    const gone = new AbortController()
    if (method === 'GET') response.once('close', () => gone.abort())
    try {
      const init = { method, headers, signal: gone.signal, ...(body.length > 0 && { body }) }
      const answer = await fetch(baseUrl + path, init)
      const text = await answer.text()
      if (when === 'after') return kill()
      if (when === 'page') {
        life.pages++
        response.writeHead(403).end('<html>Blocked</html>')
        return
      }
      const retry = answer.headers.get('retry-after')
      response.writeHead(answer.status, retry === null ? {} : { 'retry-after': retry }).end(text)
      if (typeof when === 'number') setTimeout(kill, when)
    } catch (error) {
      if (!gone.signal.aborted) throw error
    }
  })
  const path = join(root, 'examples/agents', name)
  const [command, file] = name.endsWith('.py') ? ['python3', path] : [process.execPath, await bundled(path)]
  try {
    for (;;) {
      child = spawn(command, [file, proxy.url, ...args], {
        cwd: root,
        env: { ...process.env, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          life.printed += chunk
        })
      const [code, signal] = await once(child, 'close')
      if (code === 0) return life
      if (signal !== 'SIGKILL') throw new Error(`${name} ended with ${code ?? signal}:\n${life.printed}`)
    }
  } finally {
    await proxy.close()
  }
}
