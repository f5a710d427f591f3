import { markupOf } from './twin.ts'

const asBrowser = { accept: 'text/html' }

/** Follows every link of every page of the board, of its Markdown and of what they load. Returns statuses by address. */
export async function crawl(baseUrl: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>()
  let open = ['/', '/index.md']
  while (open.length > 0) {
    const found = await Promise.all(
      open.map(async (path) => {
        const response = await fetch(baseUrl + path, { headers: asBrowser })
        const text = await response.text()
        statuses.set(path, response.status)
        const type = response.headers.get('content-type') ?? ''
        if (/^\/(skill|openapi|llms)/.test(path)) return []
        if (type.startsWith('text/html')) return addressesIn(text)
        return type.startsWith('text/markdown') ? markupOf(text).links : []
      }),
    )
    const paths = found.flat().flatMap((address) => {
      const url = new URL(address, baseUrl)
      return url.origin === baseUrl ? [url.pathname + url.search] : []
    })
    open = [...new Set(paths)].filter((path) => !statuses.has(path))
  }
  return statuses
}

function addressesIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  )
}
