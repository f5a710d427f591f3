import type { CallOptions } from './options.ts'
import type { ApiPromise } from './promise.ts'
import type { CallInput, Route } from './request.ts'
import type { Transport } from './transport.ts'

/** A group of operations; the generated classes extend it. */
export class Resource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Calls an operation; the generated methods add the types. */
  protected call<Body>(
    operation: string,
    route: Route,
    input: CallInput,
    options?: CallOptions,
  ): ApiPromise<Body> {
    return this.#transport.call(operation, route, input, options)
  }
}
