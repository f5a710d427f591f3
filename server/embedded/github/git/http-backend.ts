import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** A request of a git client, reduced to what we have checked ourselves. */
export interface BackendRequest {
  /** The folder with all repositories, and the repository's folder in it. */
  root: string
  folder: string
  service: GitService
  /** Whether the client asks for the refs; otherwise it sends a body for the service. */
  isAdvertisement: boolean
  /** The agent that pushes. */
  login: string | undefined
  environment: NodeJS.ProcessEnv
  /** Whether it has to end now, after so many milliseconds. */
  isOver(tookMs: number): boolean
  /** Bytes that are read of a body, decompressed. */
  mostBytes: number
  /** Whether another request waits for this one to end. */
  isAwaited(): boolean
}

const checkMs = 100
const graceMs = 5_000
/** A client that takes nothing for so long, while others wait, has to make room. */
const idleMs = 2_000

/**
 * Runs `git http-backend` for one request, whose body has come as `input`, and passes its response on. Ends the response only after `settle`. Always returns
 * soon after `isOver`, whatever the client does.
 */
export async function serveGit(
  request: BackendRequest,
  {
    body,
    input,
    reply,
    settle,
  }: { body: IncomingMessage; input: Readable; reply: ServerResponse; settle: () => Promise<void> },
): Promise<void> {
  if (reply.destroyed) return // the client left while it waited
  const { socket } = body
  const child = start(request, body)
  const exited = once(child, 'close').catch(() => undefined)
  const controller = new AbortController()
  const { signal } = controller
  const interrupted = once(signal, 'abort')
  const interrupt = () => {
    if (!signal.aborted) void end(child, exited)
    controller.abort()
  }
  const began = performance.now()
  const timer = setInterval(() => {
    if (!signal.aborted && request.isOver(performance.now() - began)) interrupt()
  }, checkMs)
  reply.once('close', interrupt)
  const fed = feed(child, request, { body, input }).catch(interrupt)
  try {
    await Promise.all([passOn(child, request, { reply, signal }).catch(interrupt), exited])
    // A client reads the response once it has sent everything.
    await Promise.race([fed, interrupted])
  } finally {
    clearInterval(timer)
    reply.off('close', interrupt)
    await settle()
    // Half a response must not look like a whole one.
    if (signal.aborted && reply.headersSent) socket.destroy()
    else if (!reply.headersSent) reply.writeHead(signal.aborted ? 503 : 500)
    // A body that was not read to its end leaves the connection unusable.
    reply.end(() => {
      if (!body.complete) socket.destroySoon()
    })
  }
}

function start(request: BackendRequest, { headers }: IncomingMessage): ChildProcess {
  const { service, isAdvertisement, login } = request
  const protocol = String(headers['git-protocol'] ?? '')
  const env = {
    ...request.environment,
    GIT_PROJECT_ROOT: request.root,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: isAdvertisement ? 'GET' : 'POST',
    PATH_INFO: `/${request.folder}/${isAdvertisement ? 'info/refs' : service}`,
    QUERY_STRING: isAdvertisement ? `service=${service}` : '',
    // Without CONTENT_LENGTH git reads to the end of its input, which is where our limit ends it.
    CONTENT_TYPE: isAdvertisement ? '' : `application/x-${service}-request`,
    ...(/^version=[0-2]$/.test(protocol) && { GIT_PROTOCOL: protocol }),
    ...(login !== undefined && { REMOTE_USER: login, PUSHER: login }),
  }
  // A group of its own, so that all its processes can be ended together.
  const detached = process.platform !== 'win32'
  return spawn('git', ['http-backend'], { env, cwd: request.root, windowsHide: true, detached })
}

/** Ends a process and those that it started: at the end of its input git removes its temporary files, at a signal not. */
async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.destroy()
  const timer = setTimeout(() => {
    if (child.pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch {
      // it has ended in this moment
    }
  }, graceMs)
  await exited
  clearTimeout(timer)
}

/** Writes the request's body to git, at most `mostBytes` of it. What git does not want to read is read and dropped. */
async function feed(
  child: ChildProcess,
  request: BackendRequest,
  from: { body: IncomingMessage; input: Readable },
): Promise<void> {
  const input = child.stdin
  if (!input) return
  input.on('error', () => undefined) // git may end without having read its input
  if (request.isAdvertisement) return void input.end()
  const source: Readable = isCompressed(from.body) ? from.input.pipe(createGunzip()) : from.input
  let left = request.mostBytes
  const ended = once(child, 'exit')
  for await (const chunk of source) {
    left -= chunk.length
    if (left < 0) throw new Error('the body is too long')
    if (!input.destroyed && !input.write(chunk))
      await Promise.race([once(input, 'drain').catch(() => undefined), ended])
  }
  input.end()
}

const isCompressed = ({ headers }: IncomingMessage) => /^(x-)?gzip$/i.test(headers['content-encoding'] ?? '')

/** Reads the headers of a CGI program and passes them and the rest on. */
async function passOn(
  child: ChildProcess,
  request: BackendRequest,
  { reply, signal }: { reply: ServerResponse; signal: AbortSignal },
): Promise<void> {
  let head = Buffer.alloc(0)
  let hasHead = false
  child.stderr?.resume()
  for await (const chunk of child.stdout ?? []) {
    if (signal.aborted) return
    let rest: Buffer = chunk
    if (!hasHead) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) continue
      hasHead = true
      writeHead(reply, head.subarray(0, end).toString('latin1'))
      rest = head.subarray(end + 4)
    }
    if (!reply.write(rest)) await drained(request, reply, signal)
  }
}

/** Waits until the client has taken what was written. One that takes nothing while others wait loses its connection. */
async function drained({ isAwaited }: BackendRequest, reply: ServerResponse, signal: AbortSignal) {
  const timer = setInterval(() => {
    if (isAwaited()) reply.destroy()
  }, idleMs)
  await once(reply, 'drain', { signal }).finally(() => clearInterval(timer))
}

function writeHead(reply: ServerResponse, head: string): void {
  let status = 200
  for (const line of head.split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else if (name !== '') reply.setHeader(name, value)
  }
  reply.writeHead(status)
}
