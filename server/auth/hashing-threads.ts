import { Worker } from 'node:worker_threads'
import { assetPath } from '../assets.ts'

/** Text to hash, or to verify where there is a stored hash. */
interface Job {
  text: string
  stored?: string
}

interface Answer {
  result?: unknown
  error?: Error
  /** Whether there is no answer, because the thread has ended. */
  ended?: boolean
}

/** Threads that hash API keys at a lower priority than everything else in this process. */
export interface HashingThreads {
  hash(text: string): Promise<string>
  verify(stored: string, text: string): Promise<boolean>
  /** Ends the threads, and with an error whatever they are asked from now on. */
  close(): Promise<void>
}

/**
 * Starts a thread where one is asked and none is idle, so it is for the caller to bound how many run at once. A thread
 * keeps the process alive only while it works. One that ends early is replaced, and what it was asked is asked again.
 *
 * Not a library: of piscina 5.3 a job hangs whose thread fails at its start, of tinypool 2.2 one whose thread is ended,
 * and workerpool 10 keeps the process alive.
 */
export function createHashingThreads(): HashingThreads {
  const living = new Set<Worker>()
  const idle = new Set<Worker>()
  let closed = false

  function start(): Worker {
    // Without our own arguments, under tsx each thread would load a compiler.
    const thread = new Worker(assetPath('server/auth/hashing-thread.mjs'), { execArgv: [] })
    living.add(thread)
    // Whoever waits for it is told; an idle one that fails is nobody's loss, and must not end the process.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      living.delete(thread)
      idle.delete(thread)
    })
    return thread
  }

  async function attempt(job: Job): Promise<Answer> {
    if (closed) return ended()
    const [thread = start()] = idle
    idle.delete(thread)
    thread.ref()
    const answer = await answerOf(thread, job)
    thread.unref()
    if (!answer.ended) idle.add(thread)
    return answer
  }

  async function ask(job: Job): Promise<unknown> {
    let answer = await attempt(job)
    if (answer.ended) answer = await attempt(job)
    if (answer.error) throw answer.error
    return answer.result
  }

  return {
    hash: (text) => ask({ text }) as Promise<string>,
    verify: (stored, text) => ask({ text, stored }) as Promise<boolean>,
    async close() {
      closed = true
      await Promise.all([...living].map((thread) => thread.terminate()))
    },
  }
}

function answerOf(thread: Worker, job: Job): Promise<Answer> {
  return new Promise((resolve) => {
    let cause: unknown
    const listeners = {
      message: settle,
      error(error: unknown) {
        cause = error
      },
      exit: () => settle(ended(cause)),
    }
    function settle(answer: Answer): void {
      for (const [event, listener] of Object.entries(listeners)) thread.off(event, listener)
      resolve(answer)
    }
    for (const [event, listener] of Object.entries(listeners)) thread.on(event, listener)
    thread.postMessage(job)
  })
}

function ended(cause?: unknown): Answer {
  return { ended: true, error: new Error('the thread that hashes keys has ended', { cause }) }
}
