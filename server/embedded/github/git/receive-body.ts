import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/**
 * Bodies of one service that may be on their way at once. A client without a token can begin any number of them and go on
 * slowly, so where one more begins, the one that has taken longest is ended: a body that comes promptly always arrives.
 */
const mostAtOnce = 64
/** Bytes that the bodies of one service may hold on disk, with those that have come and wait for their turn. */
const mostHeld = 1024 ** 3

/** Why a body was not taken: it was too long, took too long, or had to make room. */
export class BodyRefused extends Error {
  override name = 'BodyRefused'
  readonly status: 408 | 413 | 503

  constructor(status: 408 | 413 | 503, message: string) {
    super(message)
    this.status = status
  }
}

/** The file with a body. The caller removes it. */
export interface Received {
  path: string
  remove(): Promise<void>
}

/** Reads the body of a request into a file. */
export type ReceiveBody = (
  body: IncomingMessage,
  limits: { mostBytes: number; timeMs: number },
) => Promise<Received>

/** What an earlier process left in `folder` is removed. */
export async function openReceiver(folder: string): Promise<() => ReceiveBody> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return () => createReceiver(folder)
}

function createReceiver(folder: string): ReceiveBody {
  const receiving = new Set<(reason: BodyRefused) => void>()
  let held = 0

  return async (body, { mostBytes, timeMs }) => {
    const path = join(folder, randomUUID())
    const controller = new AbortController()
    const refuse = (reason: BodyRefused) => controller.abort(reason)
    const [longest] = receiving
    if (receiving.size >= mostAtOnce) longest?.(new BodyRefused(503, 'Too many requests at once: try again.'))
    receiving.add(refuse)
    const timer = setTimeout(() => refuse(new BodyRefused(408, 'The request took too long.')), timeMs)
    let size = 0
    body.on('data', (chunk: Buffer) => {
      if (controller.signal.aborted) return
      size += chunk.length
      held += chunk.length
      if (size > mostBytes)
        refuse(new BodyRefused(413, `A request has at most ${mostBytes} bytes: push less at once.`))
      else if (held > mostHeld) refuse(new BodyRefused(503, 'Too many requests at once: try again.'))
    })
    const remove = async () => {
      await rm(path, { force: true })
      held -= size
      size = 0
    }
    body.once('close', () => {
      if (!body.complete) refuse(new BodyRefused(408, 'The request has no end.'))
    })
    // A pipeline would end the connection with the file, and nobody would read why.
    const file = body.pipe(createWriteStream(path))
    // A refusal destroys it while a write may be under way, which then fails where nobody waits for it any more.
    file.on('error', () => undefined)
    try {
      await finished(file, { signal: controller.signal })
      return { path, remove }
    } catch (error) {
      body.unpipe(file)
      file.destroy()
      await remove()
      throw controller.signal.aborted ? controller.signal.reason : error
    } finally {
      clearTimeout(timer)
      receiving.delete(refuse)
    }
  }
}
