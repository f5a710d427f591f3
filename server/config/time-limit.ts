/**
 * A signal that aborts after `ms`, or when `other` does. Its timer holds it: Node 20 collects `AbortSignal.any([AbortSignal.timeout(ms)])` as
 * garbage, and it never fires. The limit keeps no process alive.
 */
export function limitSignal(ms: number, other?: AbortSignal | null): AbortSignal {
  const limit = new AbortController()
  const { signal } = limit
  const late = new DOMException(`no response within ${ms} ms`, 'TimeoutError')
  const timer = setTimeout(() => limit.abort(late), ms).unref()
  const end = () => limit.abort(other?.reason)
  signal.addEventListener('abort', () => clearTimeout(timer))
  other?.addEventListener('abort', end, { once: true, signal })
  if (other?.aborted) end()
  return signal
}

/**
 * What `work` comes to; after `ms` milliseconds, what `late` returns or throws. The work itself goes on. The limit keeps no
 * process alive.
 */
export function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref()
  })
  return Promise.race([work, isOver.then(late)]).finally(() => clearTimeout(timer))
}
