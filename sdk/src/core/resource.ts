import type { CallOptions } from './options.ts'
import type { ApiPromise } from './promise.ts'
import type { CallInput, Route } from './request.ts'
import type { Transport } from './transport.ts'

/** A group of operations; the generated classes extend it. */
export class Resource {
  readonly #transport: Transport
  readonly #name: string

  /** @param name how the client calls it: `bounties` */
  constructor(transport: Transport, name: string) {
    this.#transport = transport
    this.#name = name
  }

  /** Calls an operation; the generated methods add the types. */
  protected call<Body>(
    method: string,
    route: Route,
    input: CallInput,
    options?: CallOptions,
  ): ApiPromise<Body> {
    return this.#transport.call(`${this.#name}.${method}`, route, { expects: '*', ...input }, options)
  }
}
