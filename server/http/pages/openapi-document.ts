import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { assetPath } from '../../config/asset-path.ts'
import { compressedText } from '../cache/compression.ts'
import { jsonType } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'

/** The renderings of the document and their media types. */
const renderings = {
  'openapi.json': jsonType,
  'openapi-3.0.json': jsonType,
  'openapi.yaml': 'application/yaml; charset=utf-8',
}

/** `GET /openapi.json`, `/openapi.yaml` and `/openapi-3.0.json`: the committed files, if they are installed. */
export async function serveDocument(app: FastifyInstance, limit: Limit): Promise<void> {
  for (const [name, type] of Object.entries(renderings)) {
    const text = await readFile(assetPath(`openapi/${name}`), 'utf8').catch(() => undefined)
    if (text !== undefined) app.get(`/${name}`, { onRequest: limit }, compressedText(type, text))
  }
}
