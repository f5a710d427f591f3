import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'

/** A response as it was sent: `fetch` would take compression away. */
export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request with these headers alone and reads the response. */
export function rawGet(
  baseUrl: string,
  path: string,
  {
    headers = {},
    method = 'GET',
  }: { headers?: Record<string, string> | undefined; method?: string | undefined } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    request(baseUrl + path, { method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end()
  })
}

/** Bytes that a browser gets for a page and all that it loads, compressed. */
export async function bytesOf(baseUrl: string, path: string): Promise<number> {
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const page = await rawGet(baseUrl, path, { headers })
  const text = brotliDecompressSync(page.body).toString()
  const loaded = [...text.matchAll(/<(?:link rel="(?:stylesheet|icon)"|script)[^>]*?(?:href|src)="([^"]+)"/g)]
  const files = await Promise.all(loaded.map(([, file = '']) => rawGet(baseUrl, file, { headers })))
  if (files.length !== 3) throw new Error(`${path} loads ${files.length} files, not three`)
  return files.reduce((sum, { body }) => sum + body.length, page.body.length)
}
