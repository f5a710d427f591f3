import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { formOf } from '../../../openapi/forms.ts'
import type { Document } from '../../../openapi/types.ts'
import { assetPath } from '../../config/asset-path.ts'
import { ServiceError } from '../../errors.ts'
import { compressedText } from '../cache/compression.ts'
import { jsonType } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'

let read: Promise<Document> | undefined

/** The OpenAPI document, which is read when it is first needed. */
export function openApiDocument(): Promise<Document> {
  read ??= readFile(assetPath('openapi/openapi.json'), 'utf8').then((text) => JSON.parse(text) as Document)
  return read
}

const forms = new Map<string, ReturnType<typeof compressedText>>()

/** The form of the document at a path, made when it is first asked for. @throws ServiceError `not_found` */
async function formAt(path: string) {
  const known = forms.get(path)
  if (known) return known
  const text = formOf(await openApiDocument(), path)
  if (text === undefined) throw new ServiceError('not_found')
  const form = compressedText(path.endsWith('.yaml') ? 'application/yaml; charset=utf-8' : jsonType, text)
  forms.set(path, form)
  return form
}

/** `GET /openapi.json`, `/openapi.yaml`, `/openapi-3.0.json` and `/openapi/{tag}.json`. */
export function serveDocument(app: FastifyInstance, limit: Limit): void {
  for (const path of ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json', '/openapi/:file'])
    app.get<{ Params: { file?: string } }>(path, { onRequest: limit }, async (request, reply) => {
      const send = await formAt(path.replace(':file', request.params.file ?? ''))
      return send(request, reply)
    })
}
