import { MarketplaceError } from './errors.ts'

/** Where each response came from, and its `ETag`. */
const origins = new WeakMap<object, { url: string; etag: string }>()

/** Notes the `ETag` of `body`, so that {@link unlessChanged} can send it. */
export function noteEtag(body: object, url: string, headers: Headers): void {
  const etag = headers.get('etag')
  if (etag) origins.set(body, { url, etag })
}

/**
 * Adds `if-none-match` to `headers` if `previous` came from `url`.
 * @throws MarketplaceError if the caller set that header but gave no `previous` to return
 */
export function unlessChanged(headers: Headers, url: string, previous: object | undefined): void {
  const known = previous && origins.get(previous)
  if (headers.has('if-none-match')) {
    if (previous === undefined) throw new MarketplaceError('if-none-match needs `previous`')
  } else if (known?.url === url) headers.set('if-none-match', known.etag)
}
