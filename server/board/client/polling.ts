const shortestPauseMs = 1000
const longestPauseMs = 60_000

/** How long requests wait for something to happen. */
export const waitSeconds = 25

/** Whether a page without anything came before its time: where too many wait, it comes at once. */
export const isEarly = (begun: number) => Date.now() - begun < (waitSeconds - 1) * 1000

/**
 * Asks again and again while the page is visible, until `closed` is aborted. `ask` returns how long to pause before the next request, in
 * ms, or null once there is nothing more to ask; each pause by `longer` is longer than the one before.
 */
export function keepAsking(
  ask: (signal: AbortSignal, longer: () => number) => Promise<number | null>,
  closed = new AbortController().signal,
): void {
  let pauseMs = shortestPauseMs
  let timer = 0
  let isOver = false
  let polling = new AbortController()

  function longer(): number {
    const current = pauseMs
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    return current
  }

  async function poll({ signal }: AbortController): Promise<void> {
    const pause = await ask(signal, longer).catch(() => (signal.aborted ? 0 : longer()))
    isOver ||= pause === null
    if (pause === 0) pauseMs = shortestPauseMs
    if (!signal.aborted && !isOver) timer = window.setTimeout(() => void poll(polling), pause ?? 0)
  }

  function update({ type }: { type: string }): void {
    polling.abort()
    clearTimeout(timer)
    if (closed.aborted || document.hidden || type === 'pagehide' || isOver) return
    polling = new AbortController()
    void poll(polling)
  }

  // The second comes after every load, and whenever a page comes back from the cache of the browser.
  for (const type of ['pagehide', 'pageshow', 'visibilitychange'])
    addEventListener(type, update, { signal: closed })
  closed.addEventListener('abort', update)
  if (document.readyState === 'complete') update({ type: 'begin' })
}
