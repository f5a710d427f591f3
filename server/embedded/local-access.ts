import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why an embedded service refuses a request; `undefined` if it does not. The services are for programs on this machine,
 * not for web pages in its browsers. DNS rebinding can point a page's host name at this machine; the browser then treats
 * the service as the page's own origin, and only the `Host` header shows it. Browser extensions, such as wallets, are
 * not web pages.
 */
export function refusalOf({ host, origin }: IncomingHttpHeaders): string | undefined {
  if (!isLoopbackHost(host)) return 'The Host header has to be 127.0.0.1 or localhost.'
  if (origin !== undefined && /^(null$|https?:)/i.test(origin)) return 'Web pages have no access.'
  return undefined
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopbackNames.includes(host.toLowerCase().replace(/:\d+$/, ''))
}
