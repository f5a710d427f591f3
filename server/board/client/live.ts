import type { LivePage } from '../page.ts'
import { addCopyButtons } from './copy.ts'
import { element, fill, inline } from './dom.ts'
import { addAges } from './times.ts'

const waitSeconds = 25
const shortestPauseMs = 1000
const longestPauseMs = 60_000

/** Appends what happens to a timeline while its page is visible. */
export function followTimeline(list: HTMLElement): void {
  const { live } = list.dataset
  let { after } = list.dataset
  const status = element('p', { class: 'live', role: 'status' })
  list.after(status)
  let pauseMs = shortestPauseMs
  let timer = 0
  let isOver = false
  let polling = new AbortController()

  function show({ items, truncated }: LivePage): void {
    let isNew = truncated
    for (const { id, time, content } of items) {
      if (document.getElementById(id)) continue
      isNew = true
      const item = element('li', { id }, inline({ time }), element('span', {}, inline(content)))
      addCopyButtons(item)
      addAges(item)
      list.append(item)
    }
    const reload = element('a', { href: '' }, 'Reload')
    if (isNew) fill(status, 'New events. ', reload, ' to see all facts as they are now.')
  }

  /** Asks once. Returns how long to pause before the next request, in ms. */
  async function ask(signal: AbortSignal): Promise<number> {
    const begun = Date.now()
    const address = `${live}?wait=${waitSeconds}&after=${encodeURIComponent(`${after}`)}`
    const response = await fetch(address, { signal })
    if (!response.ok) {
      isOver = response.status < 500 && response.status !== 429
      return Math.max(longer(), Number(response.headers.get('retry-after')) * 1000 || 0)
    }
    const page: LivePage = await response.json()
    after = page.cursor
    show(page)
    // Where too many wait, an empty page comes at once.
    if (!page.items.length && !page.has_more && Date.now() - begun < (waitSeconds - 1) * 1000) return longer()
    pauseMs = shortestPauseMs
    return 0
  }

  function longer(): number {
    const current = pauseMs
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    return current
  }

  async function poll({ signal }: AbortController): Promise<void> {
    const pause = await ask(signal).catch(() => (signal.aborted ? 0 : longer()))
    if (!signal.aborted && !isOver) timer = window.setTimeout(() => void poll(polling), pause)
  }

  function update({ type }: Event): void {
    polling.abort()
    clearTimeout(timer)
    if (document.hidden || type === 'pagehide' || isOver) return
    polling = new AbortController()
    void poll(polling)
  }

  // The second comes after every load, and whenever a page comes back from the cache of the browser.
  for (const type of ['pagehide', 'pageshow', 'visibilitychange']) addEventListener(type, update)
}
