import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

type Form = ReturnType<typeof compressedText>
const made = new Map<string, Promise<Form | undefined>>()

async function makeForm(path: string): Promise<Form | undefined> {
  const text = formOf(await openApiDocument(), path)
  const type = path.endsWith('.yaml') ? 'application/yaml; charset=utf-8' : jsonType
  return text === undefined ? undefined : compressedText(type, text)
}

/** Made once, also for requests that come meanwhile. A path that has no form is not remembered. */
async function formAt(path: string): Promise<Form | undefined> {
  const form = made.get(path) ?? makeForm(path)
  made.set(path, form)
  if (!(await form)) made.delete(path)
  return form
}

/** `GET /openapi.json`, `/openapi.yaml`, `/openapi-3.0.json` and `/openapi/{tag}.json`, each made when it is first asked for. */
export function serveDocument(app: FastifyInstance, limit: Limit): void {
  const serve =
    (pathOf: (request: FastifyRequest) => string) => async (request: FastifyRequest, reply: FastifyReply) => {
      const send = await formAt(pathOf(request))
      if (!send) throw new ServiceError('not_found')
      return send(request, reply)
    }
  for (const path of ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json'])
    app.get(
      path,
      { onRequest: limit },
      serve(() => path),
    )
  app.get(
    '/openapi/:file',
    { onRequest: limit },
    serve(({ params }) => `/openapi/${(params as { file: string }).file}`),
  )
}
