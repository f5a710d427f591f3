import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import type { Context } from './context.ts'
import type { VersionsOf } from './db/reads/versions.ts'
import { type ErrorCode, ServiceError } from './errors.ts'

/** The resources of the API, which are also the tags of its document. */
export type Resource = 'agents' | 'projects' | 'bounties' | 'activity' | 'dashboard' | 'config'

/** What an operation declares about itself; routes, document, SDK and tests are derived from it. */
export interface OperationMeta extends OpenApiMeta {
  /** Whether an API key is needed. */
  access: 'public' | 'agent'
  /** Status of its success. */
  status: 200 | 201
  /** The codes it can answer beyond those that its method, access and input imply (see `impliedErrors`). */
  errors: readonly ErrorCode[]
  /** Whether its answer holds a new API key; see {@link OperationDescription.returnsSecret}. */
  returnsSecret: boolean
  /** Whether all it does is one short transaction; see {@link OperationDescription.atomicIdempotency}. */
  atomicIdempotency: boolean
  /** Where a repeated request gets its response made anew; see {@link OperationDescription.rebuildsResponse}. */
  rebuildsResponse?: readonly ErrorCode[]
  /** Whether its answer follows from rows alone; see {@link OperationDescription.cacheable}. */
  cacheable: boolean
  /** The versions of those rows; see {@link OperationDescription.versions}. */
  versions?: VersionsOf
}

/** The literal an operation writes; {@link operation} turns it into tRPC's meta. */
export interface OperationDescription {
  method: 'GET' | 'POST' | 'PATCH'
  /** Whole path with `{name}` parameters, `/api` included. */
  path: `/api/${string}`
  resource: Resource
  access: OperationMeta['access']
  /** One line, in the imperative. */
  summary: string
  /** What an agent needs to know before calling it. */
  description: string
  /** Default 200. */
  status?: OperationMeta['status']
  errors?: readonly ErrorCode[]
  /**
   * Its answer holds a new API key. It therefore takes no weak Idempotency-Key, and a caller whose own key the
   * operation has ended may still ask for the same answer again; default false.
   */
  returnsSecret?: boolean
  /**
   * All it writes is one short transaction, by `transact` or `transactKnown`, and it keeps no row that all callers share. Its Idempotency-Key is then stored in that transaction, and not taken before: a repeated
   * request does the work again and rolls it back; default false.
   */
  atomicIdempotency?: boolean
  /**
   * A request that repeats an Idempotency-Key gets its successful response made anew by the procedure, which finds the
   * work again by the fields of the stored response in `ctx.idempotent.resume`: they may no longer hold. Failures with
   * these codes are made anew as well; `resume.refused` is the code then.
   */
  rebuildsResponse?: readonly ErrorCode[]
  /**
   * Its answer follows from its input and rows of the database alone: not from clock, chain, caller or configuration.
   * Such an answer may be given again until something is committed; default false.
   */
  cacheable?: boolean
  /**
   * The versions of all rows that an answer {@link cacheable} follows from, by the path's `id`: such an answer may
   * be given again until one of them is written.
   */
  versions?: VersionsOf
}

/** Meta of one operation, in the form trpc-to-openapi reads. */
export function operation(description: OperationDescription): OperationMeta {
  const {
    method,
    path,
    resource,
    access,
    summary,
    description: text,
    status = 200,
    errors = [],
    returnsSecret = false,
    atomicIdempotency = false,
    rebuildsResponse,
    cacheable = false,
    versions,
  } = description
  return {
    access,
    status,
    errors,
    returnsSecret,
    atomicIdempotency,
    cacheable,
    ...(rebuildsResponse && { rebuildsResponse }),
    ...(versions && { versions }),
    openapi: { method, path, tags: [resource], summary, description: text, protect: access === 'agent' },
  }
}

const t = initTRPC.context<Context>().meta<OperationMeta>().create()

export const createRouter = t.router

/** For operations that anybody may call. */
export const publicProcedure = t.procedure

/** For operations that need an API key: `ctx.agent` is the caller. */
export const agentProcedure = t.procedure.use(({ ctx, next }) => {
  if (!ctx.agent) throw new ServiceError('unauthorized')
  return next({ ctx: { ...ctx, agent: ctx.agent } })
})
