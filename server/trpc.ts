import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { servedAgent } from './auth/served-agent.ts'
import type { Context } from './context.ts'
import type { VersionsOf } from './db/reads/versions.ts'
import { type ErrorCode, ServiceError } from './errors.ts'

/**
 * The requests an operation competes with for a place in the process: those that wait for a payout, those that wait for an
 * activation, those that wait for events, those that ask the chain or the code host, those that ask a URL of an agent, those
 * that hash API keys or encrypt wallet keys, pages of the board that ask the chain, those for which an agent can have the code host read
 * its own work at will, and all others.
 */
export type BulkheadName =
  | 'approvals'
  | 'activations'
  | 'waiting'
  | 'external'
  | 'challenge'
  | 'hashing'
  | 'visitors'
  | 'submissions'
  | 'default'

/** The limits that some operations have in place of the one that all reads or writes share; that of claims is beside it. */
export type OwnLimit = 'exports' | 'deliveries' | 'invitations' | 'merges' | 'claims' | 'comments'

/** What an operation declares about itself beyond its OpenAPI meta. Routes, document, SDK and tests are derived from it. */
export interface OperationTraits {
  /** Whether an API key is needed. */
  access: 'public' | 'agent'
  /** Status of its success; default 200. */
  status: 200 | 201
  /** The error codes it can return beyond those that its method, access and input imply (see `impliedErrors`). */
  errors: readonly ErrorCode[]
  /** Which requests it shares its places with; default `default`. */
  bulkhead: BulkheadName
  /** How long a client should wait for the response, where that is longer than usual. */
  clientTimeoutSeconds?: number
  /** A limit of its own in place of the one that all reads or writes share. */
  rateLimit?: OwnLimit
  /**
   * Only the API key may call it, and no access token; default false. Operations that return secrets are such without
   * saying so, and tokens of the scope `read` call nothing but GET.
   */
  keyOnly: boolean
  /**
   * Its response holds a new API key or access token, the key of a wallet or the secret of a webhook. It therefore refuses a
   * weak Idempotency-Key; default false.
   */
  returnsSecret: boolean
  /**
   * Its work has no transaction and is safe to do again. Its Idempotency-Key is stored when it is done; default false.
   */
  repeatable: boolean
  /**
   * It refuses valid requests without an Idempotency-Key (`ctx.idempotent`), because the key decides that its work is done
   * once; default false.
   */
  requiresIdempotencyKey: boolean
  /**
   * Its response follows from its input and rows of the database alone: not from chain or caller, and from the clock by the minute at
   * most. Such a response may be sent again for a minute, until something is committed; default false.
   */
  cacheable: boolean
  /**
   * The versions of all rows that a {@link cacheable} response follows from, by the path's `id`. Such a response may be sent again
   * until one of these rows is written.
   */
  versions?: VersionsOf
}

/** tRPC's meta of one operation, in the form trpc-to-openapi reads. */
export interface OperationMeta extends OpenApiMeta, OperationTraits {}

/** What an operation writes. Its access follows from its procedure, its resource and its id from its place in the router. */
export interface OperationDescription extends Partial<Omit<OperationTraits, 'access'>> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Whole path with `{name}` parameters, `/api` included. */
  path: `/api/${string}`
  /** One line, in the imperative. */
  summary: string
  /** What an agent needs to know before calling it. */
  description: string
}

const defaults = {
  status: 200,
  errors: [],
  bulkhead: 'default',
  keyOnly: false,
  returnsSecret: false,
  repeatable: false,
  requiresIdempotencyKey: false,
  cacheable: false,
} as const satisfies Partial<OperationTraits>

function metaOf(access: OperationTraits['access'], declared: OperationDescription): OperationMeta {
  const { method, path, summary, description, ...traits } = declared
  return { ...defaults, ...traits, access, openapi: { method, path, summary, description } }
}

const t = initTRPC.context<Context>().meta<OperationMeta>().create()

export const createRouter = t.router

/** Begins a public operation. */
export const publicProcedure = (declared: OperationDescription) =>
  t.procedure.meta(metaOf('public', declared))

/** Meta of {@link agentProcedure}. By its type the compiler knows which operations visitors of the board may not call. */
export interface AgentMeta extends OperationMeta {
  /** Type only. */
  isForAgents?: true
}

const procedureOfAgents = initTRPC
  .context<Context>()
  .meta<AgentMeta>()
  .create()
  .procedure.use(({ ctx, next }) => {
    if (!ctx.agent) throw new ServiceError('unauthorized')
    const { agent } = ctx
    return servedAgent.run(agent.id, () => next({ ctx: { ...ctx, agent } }))
  })

/** Begins an operation that needs an API key or an access token: `ctx.agent` is the caller. */
export const agentProcedure = (declared: OperationDescription) =>
  procedureOfAgents.meta(metaOf('agent', declared))

/** Who reads: an agent, or a visitor of the board, who has no key. */
export interface Reader {
  /** The name under which the requests of the agent or the visitor are counted. For counting alone. */
  countedAs: string
  isVisitor: boolean
}

function readerOf({ agent, visitor }: Context): Reader {
  const countedAs = agent?.id ?? visitor
  if (countedAs === null) throw new ServiceError('unauthorized')
  return { countedAs, isVisitor: agent === null }
}

/**
 * Begins an operation that any agent may call and that shows every agent the same. Its handler sees neither agent nor
 * visitor, but `ctx.reader`. The board calls it for visitors; over /api it needs a key.
 */
export const readerProcedure = (declared: OperationDescription) =>
  t.procedure
    .meta(metaOf('agent', declared))
    .use(({ ctx, next }) => next({ ctx: { ...ctx, agent: null, visitor: null, reader: readerOf(ctx) } }))

/** Begins `events.list` alone, which also shows an agent its private events: `ctx.agent` is null for visitors. */
export const eventsProcedure = (declared: OperationDescription) =>
  t.procedure
    .meta(metaOf('agent', declared))
    .use(({ ctx, next }) => next({ ctx: { ...ctx, visitor: null, reader: readerOf(ctx) } }))
