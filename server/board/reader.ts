import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import { createContext } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { toServiceError } from '../http/errors/service-error.ts'
import { countedAddress } from '../http/limits/client-address.ts'
import { type NoReading, withinPatience } from '../money/chain/patience.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import type { OperationMeta } from '../trpc.ts'

type Inputs = inferRouterInputs<Router>
type Outputs = inferRouterOutputs<Router>

/** The names of the operations that visitors may call: those that read and are not for agents alone. */
type ReadableOf<Procedures> = {
  [Name in keyof Procedures & string]: Procedures[Name] extends {
    _def: { type: 'query' }
    meta: infer Meta extends OperationMeta
  }
    ? unknown extends Meta['isForAgents']
      ? Name
      : never
    : never
}[keyof Procedures & string]

/** Ids of the operations that visitors may call, such as `bounties.get`. */
export type OperationId = {
  [Resource in keyof Outputs & string]: `${Resource}.${ReadableOf<Router[Resource]>}`
}[keyof Outputs & string]

type Of<Types, Id> = Id extends `${infer Resource}.${infer Name}`
  ? Resource extends keyof Types
    ? Name extends keyof Types[Resource]
      ? Types[Resource][Name]
      : never
    : never
  : never

/** What an operation takes and returns. */
export type InputOf<Id extends OperationId> = Of<Inputs, Id>
export type OutputOf<Id extends OperationId> = Of<Outputs, Id>

/**
 * Reads through the procedures of operations, as somebody without an API key.
 * @throws what the operation throws
 */
export type Read = <Id extends OperationId>(id: Id, input: InputOf<Id>) => Promise<OutputOf<Id>>

/** Who reads, and until when. */
export interface Visit {
  services: Services
  requestId: string
  log: Services['log']
  /** Name under which the visitor is counted. */
  visitor: string
  signal: AbortSignal
}

/** A visit by a request. */
export function visitOf(
  request: FastifyRequest,
  services: Visit['services'],
  { signal }: Pick<Visit, 'signal'>,
): Visit {
  return {
    services,
    requestId: request.id,
    log: request.log as Visit['log'],
    visitor: `visitor ${countedAddress(request.ip)}`,
    signal,
  }
}

/** Makes the functions that read for visitors. */
export function createReader(operations: readonly Operation[]): (visit: Visit) => Read {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  return (visit) => {
    const context = createContext({ ...visit, agent: null })
    return async <Id extends OperationId>(id: Id, input: InputOf<Id>) => {
      const operation = byId.get(id)
      if (operation?.method !== 'GET') throw new Error(`${id} is no operation that reads`)
      return operation.call(context, input) as Promise<OutputOf<Id>>
    }
  }
}

/** The result of a reading; null if it fails with one of `codes`. */
export async function unless<Result>(
  reading: Promise<Result>,
  ...codes: readonly ErrorCode[]
): Promise<Result | null> {
  try {
    return await reading
  } catch (thrown) {
    if (codes.includes(toServiceError(thrown).code)) return null
    throw thrown
  }
}

/** Longest time a page waits for the chain, in ms. */
const patienceMs = 1000

/** What a reading of the chain gives, or why it gives nothing. */
export function fromChain<Result>(reading: Promise<Result>): Promise<Result | NoReading> {
  return withinPatience(reading, patienceMs)
}

/** What a page says in place of figures that {@link fromChain} does not have. */
export const unknownNow: Record<NoReading, string> = {
  chain_not_configured: 'Not known: no chain is configured.',
  token_not_deployed: 'Not known: the project has no token yet.',
  chain_unreachable: 'Not known now: the chain does not respond in time.',
}
