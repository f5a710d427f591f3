/** What came for a call: its data, and the response they were read from. */
export interface Received<Data> {
  data: WithRequestId<Data>
  /** Status and headers of the response. Its body was read, and can be read again. */
  response: Response
  /** `X-Request-Id` of the response. Quote it when you ask for help. */
  requestId: string | undefined
}

/** A body with the id of its request, which is not enumerable: it is neither printed nor copied with the rest. */
export type WithRequestId<Data> = Data & {
  /** `X-Request-Id` of the response. Quote it when you ask for help. */
  readonly _request_id?: string | undefined
}

/** The promise of a call: of the body of its response, and on demand of the response itself. */
export class ApiPromise<Data> extends Promise<WithRequestId<Data>> {
  readonly #received: Promise<Received<Data>>

  /** Promises made of this one by `then` are ordinary. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** @internal */
  constructor(received: Promise<Received<Data>>) {
    super((resolve, reject) => {
      received.then(({ data }) => resolve(data), reject)
    })
    this.#received = received
  }

  /** Body, response and request id. Rejects as the call does. */
  withResponse(): Promise<Received<Data>> {
    return this.then(() => this.#received)
  }

  /** The response, for its status, its headers or its text. Rejects as the call does, with an `ApiError` for a status of 400 or above. */
  asResponse(): Promise<Response> {
    return this.withResponse().then(({ response }) => response)
  }
}
