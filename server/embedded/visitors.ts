import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why a request to an embedded part is refused; undefined where it is not. The parts are for programs on this machine,
 * not for the web pages its browsers show. A page's name may come to lead here after the page was loaded (DNS
 * rebinding); the browser then calls the part the page's own, and the `Host` header alone tells. Extensions of a
 * browser, such as wallets, are no pages.
 */
export function refusalOf({ host, origin }: IncomingHttpHeaders): string | undefined {
  if (!namesLoopback(host)) return 'The Host header has to be 127.0.0.1 or localhost.'
  if (origin !== undefined && /^(null$|https?:)/i.test(origin)) return 'Web pages are not answered.'
  return undefined
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/** Whether a `Host` header names this machine as such, with or without a port. */
export function namesLoopback(host: string | undefined): boolean {
  return host !== undefined && loopbackNames.includes(host.toLowerCase().replace(/:\d+$/, ''))
}
