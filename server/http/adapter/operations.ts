import {
  forEachOpenApiProcedure,
  getInputOutputParsers,
  getPathParameters,
  type OpenApiProcedure,
} from 'trpc-to-openapi'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { VersionsOf } from '../../db/reads/versions.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Router } from '../../router.ts'
import type { OperationMeta } from '../../trpc.ts'
import { type ProcedureDefinition, procedureCaller } from './procedure.ts'

/** The part of a tRPC router that carries its operations. */
export type Operations = Pick<Router, '_def'> | { _def: { procedures: Record<string, unknown> } }

/** One operation of the router, ready to be served over HTTP. */
export interface Operation {
  /** `bounties.claim`: the path of its procedure in the router. */
  id: string
  method: 'GET' | 'POST' | 'PATCH'
  /** Whole path with `{name}` parameters. */
  path: string
  /** Names of the parameters in {@link Operation.path}. */
  pathParameters: readonly string[]
  access: OperationMeta['access']
  /** Whether its answer holds a new API key. */
  returnsSecret: boolean
  /** Whether all it does is one short transaction. */
  atomicIdempotency: boolean
  /** Where a repeated request gets its response made anew: the failures for which that is so, too. */
  rebuildsResponse: readonly ErrorCode[] | undefined
  /** Whether its answer follows from its input and rows of the database alone. */
  cacheable: boolean
  /** The versions of those rows, by the path's `id`. */
  versions: VersionsOf | undefined
  /** The codes it declares beyond the implied ones. */
  errors: OperationMeta['errors']
  /** Status of its success. */
  status: number
  /** Schema of its input; `null` where it takes none. */
  input: z.ZodObject | null
  /** Runs the procedure: validates `input`, does the work, validates the output. Throws what tRPC throws. */
  call(context: Context, input: unknown): Promise<unknown>
  /** The JSON of a raw result, as `call` would make it. @throws ZodError when the result breaks its promise. */
  render(result: unknown): string
}

/**
 * Every operation of `router` by what its meta says. trpc-to-openapi is asked for the list only: its own handlers
 * change the shared schemas at run time and are not fit for the open internet.
 */
export function listOperations(router: Operations): Operation[] {
  const operations: Operation[] = []
  const procedures = router._def.procedures as Record<string, OpenApiProcedure>
  forEachOpenApiProcedure<OperationMeta>(procedures, ({ path: id, type, procedure, meta }) => {
    const { inputParser, outputParser, hasInputsDefined } = getInputOutputParsers(procedure)
    if (!outputParser) throw new Error(`operation ${id} has no output schema`)
    operations.push({
      id,
      method: meta.openapi.method as Operation['method'],
      path: meta.openapi.path,
      pathParameters: getPathParameters(meta.openapi.path),
      access: meta.access,
      returnsSecret: meta.returnsSecret,
      atomicIdempotency: meta.atomicIdempotency,
      rebuildsResponse: meta.rebuildsResponse,
      cacheable: meta.cacheable,
      versions: meta.versions,
      errors: meta.errors,
      status: meta.status,
      input: hasInputsDefined ? (inputParser as z.ZodObject) : null,
      call: procedureCaller(procedure as unknown as ProcedureDefinition, id, type),
      render: (result) => JSON.stringify(outputParser.parse(result)),
    })
  })
  return operations
}
