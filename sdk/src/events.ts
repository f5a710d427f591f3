import { EventsMissedError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { pause, retryDelayMs } from './core/retry.ts'
import type { Unlisted } from './core/unlisted.ts'
import type { Event, EventsListQuery, EventsListResponse } from './generated/models.ts'
import { EventsResource } from './generated/resources.ts'

/** Which events {@link Events.stream} gives, and from where on. */
export interface StreamOptions {
  /** The `cursor` of an earlier stream or response. Default: from now on. */
  after?: string | undefined
  /** Only events of these types. Default: all. */
  types?: readonly Exclude<Event['type'], Unlisted>[] | undefined
  /** Only events of this project. */
  project_id?: string | undefined
  /** Only what the caller did, and what happened on projects that it founded. */
  mine?: boolean | undefined
  /**
   * Ends the stream: a `for await` over it then ends as if there were no more events, without an error, also while it
   * waits.
   */
  signal?: AbortSignal | undefined
  /**
   * Called if events between `after` and now cannot be read any more: the cursor is older than the service keeps events,
   * or its database fell back to an earlier state. Read the present state of what you work on here; the stream goes on with
   * what happens from now on, after the returned promise has resolved. Without it the stream throws
   * {@link EventsMissedError}.
   */
  onTruncated?: (() => void | Promise<void>) | undefined
}

/** Operations on `events`. */
export class Events extends EventsResource {
  /**
   * The events from `after` on, each once, as they happen, for as long as you read:
   *
   * ```ts
   * for await (const event of market.events.stream({ mine: true, after: cursor })) {
   *   if (event.type === 'payout.confirmed') console.log(event.data.tx_hash)
   * }
   * ```
   *
   * It waits in long polls. It repeats requests until the service responds, whatever happens to the service or the network,
   * and throws only errors that a repetition cannot mend, such as 401. Events of types that this package does not list are
   * given as they are.
   *
   * Without `after` it begins with what happens after the call: its first request is sent at once, and the service
   * notes the place in the log when it gets that request, or the first repetition that succeeds. {@link EventStream.started}
   * resolves then.
   */
  stream(options: StreamOptions = {}): EventStream {
    return new EventStream((query, call) => this.list(query, call), options)
  }
}

type Read = (query: EventsListQuery, options: CallOptions) => Promise<EventsListResponse>

/** How long the service may wait for an event, in seconds: as long as it allows. */
const waitSeconds = 50
/** How long the client waits for the response of such a request. */
const timeoutMs = (waitSeconds + 15) * 1000
const pageSize = 100
/** A pause that the service asks for may be as long as this. */
const longestPauseMs = 24 * 3_600_000

/** Events as they happen; see {@link Events.stream}. Loops over one stream share it: each event goes to one of them. */
export class EventStream implements AsyncIterable<Event> {
  readonly #read: Read
  readonly #query: EventsListQuery
  readonly #signal: AbortSignal | undefined
  readonly #onTruncated: StreamOptions['onTruncated']
  #cursor: string | undefined
  /** What was read and not given yet, and the cursor behind it. */
  #page: { events: Event[]; cursor: string } = { events: [], cursor: '' }
  #isTruncated = false
  #opening: Promise<unknown> | undefined
  /** The end of the latest `next`: only one runs at a time. */
  #latest: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(read: Read, { after, types, project_id, mine, signal, onTruncated }: StreamOptions) {
    this.#read = read
    this.#query = { limit: pageSize, types: types?.join(), project_id, mine: mine ? 'true' : undefined }
    this.#signal = signal
    this.#onTruncated = onTruncated
    this.#cursor = after
    // If it fails, the first reader repeats it.
    if (this.#cursor === undefined) this.#opening = this.#readPage(0).catch(() => undefined)
  }

  /**
   * The place behind the last event given: pass it as `after` to go on there, also in another process. Store it when you
   * are done with an event. Undefined until {@link EventStream.started}.
   */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /**
   * Resolves as soon as the stream has a cursor: nothing that happens from then on is missed. Wait for it before you read
   * the present state of something and then act on its events.
   * @throws as the stream does, or the reason of `signal`
   */
  async started(): Promise<void> {
    await this.#opening
    while (this.#cursor === undefined) await this.#readPatiently(0)
  }

  [Symbol.asyncIterator](): AsyncIterator<Event, undefined, undefined> {
    return {
      next: () => {
        const next = this.#latest.then(() => this.#next())
        this.#latest = next.catch(() => undefined)
        return next
      },
      return: () => Promise.resolve({ done: true, value: undefined }),
    }
  }

  async #next(): Promise<IteratorResult<Event, undefined>> {
    try {
      await this.started()
      for (;;) {
        this.#signal?.throwIfAborted()
        await this.#tellTruncated()
        const event = this.#take()
        if (event) return { done: false, value: event }
        await this.#readPatiently(waitSeconds)
      }
    } catch (error) {
      if (!this.#signal?.aborted) throw error
      return { done: true, value: undefined }
    }
  }

  #take(): Event | undefined {
    const { events, cursor } = this.#page
    const event = events.shift()
    // The cursor of the page may be behind events that the stream does not want.
    if (event) this.#cursor = events.length === 0 ? cursor : event.id
    return event
  }

  async #tellTruncated(): Promise<void> {
    if (!this.#isTruncated) return
    this.#isTruncated = false
    if (!this.#onTruncated)
      throw new EventsMissedError(
        'events after the cursor cannot be read any more; pass `onTruncated` to go on',
      )
    await this.#onTruncated()
  }

  /** Reads until the service responds. */
  async #readPatiently(wait: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#readPage(wait)
      } catch (error) {
        const delayMs = retryDelayMs(error, attempt, longestPauseMs)
        if (delayMs === undefined || this.#signal?.aborted) throw error
        await pause(delayMs, this.#signal)
      }
    }
  }

  async #readPage(wait: number): Promise<void> {
    const began = performance.now()
    const query = { ...this.#query, wait, ...(this.#cursor !== undefined && { after: this.#cursor }) }
    const page = await this.#read(query, { signal: this.#signal, timeoutMs })
    this.#isTruncated = page.truncated
    this.#page = { events: [...page.events], cursor: page.cursor }
    if (page.events.length > 0 && this.#cursor !== undefined) return
    this.#cursor = page.cursor
    const isEarly = performance.now() - began < wait * 1000
    // The service has no room for another waiting request, or shuts down.
    if (isEarly && !page.has_more && !page.truncated) await pause(1000 + Math.random() * 500, this.#signal)
  }
}
