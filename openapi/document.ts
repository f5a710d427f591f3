import { forEachOpenApiProcedure, generateOpenApiDocument, getInputOutputParsers } from 'trpc-to-openapi'
import { router } from '../server/router.ts'
import type { OperationMeta } from '../server/trpc.ts'
import { describeReferences } from './finish/descriptions.ts'
import { describeErrors } from './finish/errors.ts'
import { addExamples } from './finish/examples.ts'
import { describeHeaders } from './finish/headers.ts'
import { info, tags } from './finish/info.ts'
import { sizeIntegers } from './finish/integers.ts'
import { nameSchemas } from './finish/names.ts'
import { allowNulls } from './finish/nulls.ts'
import { shareEntries, shareFields, shareParameters } from './finish/share.ts'
import { sortKeys } from './finish/sort.ts'
import { describeRequestBody, describeSuccess } from './finish/success.ts'
import { describeWebhooks } from './finish/webhooks.ts'
import type { Document, DocumentedOperation, Method } from './types.ts'

/**
 * The OpenAPI 3.1 document of the router. trpc-to-openapi generates it; the rest adds what that leaves out: statuses,
 * errors, headers, names, examples. The library may change the shared schemas, so this runs in its own process and never
 * inside the service.
 */
export function buildDocument(): Document {
  const document = generateOpenApiDocument(router as never, {
    ...info,
    openApiVersion: '3.1.1',
    baseUrl: '/',
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The `api_key` that registration returned, or an access token: `Authorization: Bearer <api_key>`.',
      },
    },
  }) as unknown as Document
  document.info.license = { name: 'MIT', identifier: 'MIT' }
  // A relative address is an error to Spectral, and the document is the same at every address.
  document.info.contact = { name: 'The operator of this installation' }
  document.tags = tags
  document.security = [{ apiKey: [] }]
  const operations = documentedOperations(document)
  for (const documented of operations) {
    describeSuccess(documented)
    describeRequestBody(documented)
  }
  describeErrors(document, operations)
  describeHeaders(document, operations)
  nameSchemas(document, operations)
  shareFields(document)
  shareEntries(document)
  allowNulls(document)
  describeReferences(document, operations)
  shareParameters(document, operations)
  addExamples(document, operations)
  describeWebhooks(document)
  openTaskActions(document)
  sizeIntegers(document)
  return sortKeys(document)
}

/** A newer version may have other tasks. */
function openTaskActions({ components: { schemas } }: Document): void {
  const { enum: actions = [], ...open } = schemas.TaskAction ?? {}
  schemas.TaskAction = { ...open, 'x-extensible-enum': actions }
}

/** Every procedure of the router with the operation that the document has for it. */
function documentedOperations(document: Document): DocumentedOperation[] {
  const found: DocumentedOperation[] = []
  forEachOpenApiProcedure(router._def.procedures as never, ({ path: id, procedure, meta }) => {
    const path = meta.openapi.path
    const method = meta.openapi.method.toLowerCase() as Method
    const operation = document.paths[path]?.[method]
    if (!operation) throw new Error(`${id}: the generated document lacks ${method} ${path}`)
    operation.operationId = id
    operation.tags = id.split('.', 1)
    const { hasInputsDefined } = getInputOutputParsers(procedure)
    found.push({
      id,
      path,
      method,
      meta: meta as unknown as OperationMeta,
      takesInput: hasInputsDefined,
      operation,
    })
  })
  return found
}
