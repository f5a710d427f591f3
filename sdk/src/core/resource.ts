import type { CallOptions } from './options.ts'
import type { CallInput } from './request.ts'
import type { OperationId, Transport } from './transport.ts'

/** A group of operations; the generated classes extend it. */
export class Resource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Carries an operation out; the generated methods give it its types. */
  protected call<Answer>(
    id: OperationId,
    input: CallInput,
    options?: CallOptions & { previous?: object | undefined },
  ): Promise<Answer> {
    return this.#transport.call(id, input, options) as Promise<Answer>
  }
}
