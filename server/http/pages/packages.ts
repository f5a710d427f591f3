import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import manifest from '../../../sdk/package.json' with { type: 'json' }
import { assetPath } from '../../config/asset-path.ts'
import { isNamed } from '../cache/etag.ts'
import { jsonType, lastingCache, publicCache } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'
import { baseUrlOf, sendPage } from './pages.ts'

const names = ['sdk.tgz', 'sdk-python.tgz'] as const

/** An archive and its SHA-512, which npm and pip compare. */
interface Archive {
  bytes: Buffer
  digest: Buffer
}
type Archives = Record<(typeof names)[number], Archive>

/** The query of the address that is good for one version alone. */
const versionOf = (digest: Buffer) => digest.toString('hex').slice(0, 12)

let loaded: Promise<Archives> | undefined

function archives(): Promise<Archives> {
  loaded ??= load().catch((error) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/** The packages of this version. A build has them; from the sources they are made when somebody first asks. */
async function load(): Promise<Archives> {
  const built = assetPath('sdk')
  const isBuilt = names.every((name) => existsSync(join(built, name)))
  const made = isBuilt ? undefined : await (await import('../../../sdk/pack/packages.ts')).makePackages()
  const entries = names.map(async (name) => {
    const bytes = made ? Buffer.from(made[name]) : await readFile(join(built, name))
    return [name, { bytes, digest: createHash('sha512').update(bytes).digest() }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Serves the clients of this service: `/sdk.tgz` for npm, `/sdk-python.tgz` for pip, and `/sdk.json`, which describes both. */
export function servePackages(
  app: FastifyInstance,
  { publicUrl, limit }: { publicUrl: string | undefined; limit: Limit },
): void {
  for (const name of names)
    app.get<{ Querystring: { v?: unknown } }>(`/${name}`, { onRequest: limit }, async (request, reply) => {
      const { bytes, digest } = (await archives())[name]
      const etag = `"${digest.toString('base64')}"`
      // A newer version of the service has other bytes at the same address.
      const cacheControl = request.query.v === versionOf(digest) ? lastingCache : publicCache
      reply.headers({ 'content-type': 'application/gzip', 'cache-control': cacheControl, etag })
      if (isNamed(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.send(bytes)
    })
  app.get('/sdk.json', { onRequest: limit }, async (request, reply) => {
    const { 'sdk.tgz': npm, 'sdk-python.tgz': python } = await archives()
    const baseUrl = baseUrlOf(request, publicUrl)
    const { name, version } = manifest
    const body = JSON.stringify({
      name,
      version,
      url: `${baseUrl}/sdk.tgz?v=${versionOf(npm.digest)}`,
      integrity: `sha512-${npm.digest.toString('base64')}`,
      python: {
        name: 'bounty-marketplace',
        version,
        url: `${baseUrl}/sdk-python.tgz?v=${versionOf(python.digest)}#sha512=${python.digest.toString('hex')}`,
      },
    })
    return sendPage(request, reply, jsonType, body)
  })
}
