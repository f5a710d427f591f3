import { Worker } from 'node:worker_threads'
import { assetPath } from '../config/asset-path.ts'

type Answer =
  | { hash: string }
  | { error: unknown }
  /** There is no answer, because the thread has ended. */
  | { ended: Error }

/** A thread that hashes API keys at a lower priority than everything else in this process. */
export interface HashingThread {
  /** One at a time: the next only when this one has settled. */
  hash(text: string): Promise<string>
  /** Ends the thread, and with an error whatever it is asked from now on. */
  close(): Promise<void>
}

/**
 * Starts the thread when it is first asked; it costs some 10 MB and keeps the process alive only while it works. One
 * that ends early is replaced, and what it was asked is asked again.
 *
 * Not a library: of piscina 5.3 a job hangs whose thread fails at its start, of tinypool 2.2 one whose thread is ended,
 * and workerpool 10 keeps the process alive.
 */
export function createHashingThread(): HashingThread {
  let thread: Worker | undefined
  let closed = false

  function start(): Worker {
    // Without our own arguments, under tsx the thread would load a compiler.
    const started = new Worker(assetPath('server/auth/hashing-worker.mjs'), { execArgv: [] })
    // Whoever waits for it is told; an idle one that fails is nobody's loss, and must not end the process.
    started.on('error', () => undefined)
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }

  async function attempt(text: string): Promise<Answer> {
    if (closed) return { ended: endedBy() }
    thread ??= start()
    const asked = thread
    asked.ref()
    const answer = await answerOf(asked, text)
    asked.unref()
    return answer
  }

  return {
    async hash(text) {
      let answer = await attempt(text)
      if ('ended' in answer) answer = await attempt(text)
      if ('hash' in answer) return answer.hash
      throw 'ended' in answer ? answer.ended : answer.error
    },
    async close() {
      closed = true
      await thread?.terminate()
    },
  }
}

function answerOf(thread: Worker, text: string): Promise<Answer> {
  return new Promise((resolve) => {
    let cause: unknown
    const listeners = {
      message: settle,
      error(error: unknown) {
        cause = error
      },
      exit: () => settle({ ended: endedBy(cause) }),
    }
    function settle(answer: Answer): void {
      for (const [event, listener] of Object.entries(listeners)) thread.off(event, listener)
      resolve(answer)
    }
    for (const [event, listener] of Object.entries(listeners)) thread.on(event, listener)
    thread.postMessage(text)
  })
}

function endedBy(cause?: unknown): Error {
  return new Error('the thread that hashes keys has ended', { cause })
}
