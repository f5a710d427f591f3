import { createContext } from '../../server/context.ts'
import type { ErrorCode } from '../../server/errors.ts'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import type { Services } from '../../server/services.ts'

const operations = new Map(listOperations(router).map((operation) => [operation.id, operation]))

/**
 * Calls an operation as the board does for a visitor, who has no key. Returns the body of the response.
 * @param input with the parameters of the path
 * @throws what tRPC throws
 */
export async function visit(
  services: Services,
  id: string,
  input: object,
  { name = 'visitor 203.0.113.7', signal = new AbortController().signal } = {},
): Promise<unknown> {
  const operation = operations.get(id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const request = {
    services,
    requestId: 'req_visitor',
    log: services.log,
    agent: null,
    visitor: name,
    signal,
  }
  return JSON.parse(JSON.stringify(await operation.call(createContext(request), input)))
}

/** The code with which an operation refuses a visitor; undefined if it does not. */
export async function refusal(...call: Parameters<typeof visit>): Promise<ErrorCode | undefined> {
  try {
    await visit(...call)
    return undefined
  } catch (error) {
    return (error as { cause?: { code?: ErrorCode } }).cause?.code
  }
}
