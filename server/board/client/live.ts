import type { LivePage } from '../page.ts'
import { addCopyButtons } from './copy.ts'
import { element, fill, inline } from './dom.ts'
import { isEarly, keepAsking, waitSeconds } from './polling.ts'
import { addAges } from './times.ts'

/** Appends what happens to a timeline while its page is visible. */
export function followTimeline(list: HTMLElement): void {
  const { live } = list.dataset
  let { after } = list.dataset
  const status = element('p', { class: 'live', role: 'status' })
  list.after(status)

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

  keepAsking(async (signal, longer) => {
    const begun = Date.now()
    const address = `${live}?wait=${waitSeconds}&after=${encodeURIComponent(`${after}`)}`
    const response = await fetch(address, { signal })
    if (!response.ok) {
      if (response.status < 500 && response.status !== 429) return null
      return Math.max(longer(), Number(response.headers.get('retry-after')) * 1000 || 0)
    }
    const page: LivePage = await response.json()
    after = page.cursor
    show(page)
    return !page.items.length && !page.has_more && isEarly(begun) ? longer() : 0
  })
}
