import type { CallOptions } from './options.ts'
import type { CallInput } from './request.ts'
import type { OperationId, Transport } from './transport.ts'

/** A group of operations; the generated classes extend it. */
export class Resource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Calls an operation; the generated methods add the types. */
  protected call<Body>(
    id: OperationId,
    input: CallInput,
    options?: CallOptions & { previous?: object | undefined },
  ): Promise<Body> {
    return this.#transport.call(id, input, options) as Promise<Body>
  }
}
