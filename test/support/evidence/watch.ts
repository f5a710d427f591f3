import { ChildProcess, type SpawnOptions } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { isCallers } from './processes.ts'
import { secretsOf } from './settings.ts'
import { flushEvidence, noteApiKeys, noteSecret, noteText } from './write.ts'

// Records all requests that a test file sends or serves, and all processes that it starts. The records are searched after
// the run; see search.ts.

/** Records the secrets in a request's headers. */
function noteHeaders(headers: { get(name: string): string | null | undefined }): void {
  const authorization = headers.get('authorization') ?? ''
  noteApiKeys(authorization)
  if (!/bm[kt]_/.test(authorization)) noteSecret('credential', authorization.replace(/^\w+ +/, ''))
  noteSecret('Idempotency-Key', headers.get('idempotency-key') ?? '')
}

const send = globalThis.fetch
globalThis.fetch = async (input, init) => {
  noteHeaders(input instanceof Request ? input.headers : new Headers(init?.headers))
  const response = await send(input, init)
  if (response.status >= 400) {
    const headers = JSON.stringify([...response.headers])
    response
      .clone()
      .text()
      .then(
        (body) => noteText('errors', headers + body),
        () => undefined,
      )
  }
  return response
}

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest }
  noteHeaders({ get: (name) => [request.getHeader(name)].flat().join() })
})

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const { headers } = request
  noteHeaders({ get: (name) => [headers[name]].flat().join() })
  const { write, end } = response
  const note = (chunk: unknown) => {
    const text = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : ''
    noteApiKeys(text)
    if (response.statusCode >= 400) noteText('errors', JSON.stringify(response.getHeaders()) + text)
  }
  response.write = (...rest: unknown[]) => {
    note(rest[0])
    return Reflect.apply(write, response, rest)
  }
  response.end = (...rest: unknown[]) => {
    note(rest[0])
    return Reflect.apply(end, response, rest)
  }
})

/** Programs that print secrets on purpose, to pass them to their test. */
const printsSecrets = /\bservice-process\.mjs$/

type Spawning = { spawn(options: SpawnOptions & { envPairs?: string[]; args?: string[] }): unknown }
const child = ChildProcess.prototype as unknown as Spawning
const { spawn } = child
child.spawn = function (this: ChildProcess, options) {
  for (const pair of options.envPairs ?? []) {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    for (const { what, value: secret } of secretsOf(name, value)) noteSecret(what, secret)
  }
  const commandLine = (options.args ?? []).join(' ')
  if (!isCallers(commandLine)) noteText('processes', commandLine)
  const result = Reflect.apply(spawn, this, [options])
  if (options.args?.some((argument) => printsSecrets.test(argument))) return result
  for (const stream of [this.stdout, this.stderr]) if (stream) noteOutput(stream)
  return result
}

function noteOutput(stream: Readable): void {
  const push = stream.push.bind(stream)
  stream.push = (chunk, encoding) => {
    if (chunk) noteText('log', String(chunk))
    return push(chunk, encoding)
  }
}

process.on('exit', flushEvidence)
