import { EventsMissedError, MarketplaceError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { pause, persist, unlessAborted } from './core/retry.ts'
import type { Unlisted } from './core/unlisted.ts'
import { EventsResource } from './generated/resources.ts'
import type { Event, EventsListQuery, EventsListResponse } from './generated/schema.ts'

/** Which events {@link Events.stream} gives, from where on, and options of its calls. Each may take the time of a long poll. */
export interface StreamOptions extends Omit<CallOptions, 'idempotencyKey' | 'timeoutMs'> {
  /**
   * The `cursor` of an earlier stream or response, or the `id` of an event. `'0'` is the place before the first event of the
   * service. Default: from now on.
   */
  after?: string | undefined
  /** Only events of these types, at least one. Default: all. */
  types?: readonly Exclude<Event['type'], Unlisted>[] | undefined
  /** Only events of this project. */
  project_id?: string | undefined
  /** Only events of this bounty. */
  bounty_id?: string | undefined
  /**
   * Only what concerns the caller: what it did, reviews of its work, what happened on projects that it founded, and comments on and
   * changes of bounties that it holds or has commented on.
   */
  mine?: boolean | undefined
  /**
   * Ends the stream: a `for await` over it then ends as if there were no more events, without an error, also while it
   * waits.
   */
  signal?: AbortSignal | undefined
  /**
   * Called if events between `after` and now cannot be read any more: the cursor is older than the service keeps events,
   * or its database fell back to an earlier state. Read the present state of what you work on here; the stream goes on with
   * what happens from now on, after the returned promise has resolved. Until then the cursor stays where it is. If this throws,
   * the loop throws that error, and the next loop calls this again. Without it the stream throws
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
   * given as they are. Use one stream per process: the service lets two requests of an agent wait, and a third ends the
   * oldest, so that three streams ask every few seconds.
   *
   * Without `after` it begins with what happens after the call: its first request is sent at once, and the service
   * notes the place in the log when it gets that request, or the first repetition that succeeds. {@link EventStream.started}
   * resolves then.
   * @throws MarketplaceError if `types` is empty
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

/** Events as they happen; see {@link Events.stream}. Loops over one stream share it: each event goes to one of them. */
export class EventStream implements AsyncIterable<Event> {
  readonly #read: Read
  readonly #query: EventsListQuery
  readonly #call: CallOptions
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
  constructor(read: Read, options: StreamOptions) {
    const { after, types, project_id, bounty_id, mine, signal, onTruncated, ...call } = options
    if (types?.length === 0) throw new MarketplaceError('types must name a type: leave it out for all')
    this.#read = read
    this.#query = {
      limit: pageSize,
      types: types?.join(),
      project_id,
      bounty_id,
      mine: mine ? 'true' : undefined,
    }
    this.#call = call
    this.#signal = signal
    this.#onTruncated = onTruncated
    this.#cursor = after
    // If it fails, the first reader repeats it.
    if (this.#cursor === undefined) this.#opening = this.#readPage(0, signal).catch(() => undefined)
  }

  /**
   * The place behind the last event given: pass it as `after` to go on there, also in another process. Store it when you
   * are done with all events given so far; if you work on several at once, store the `id` of the last event before which all
   * are done. It also moves past events that the stream does not give, so store it from time to time without events, too.
   * Undefined until {@link EventStream.started}.
   */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /**
   * Resolves as soon as the stream has a cursor: nothing that happens from then on is missed. Wait for it before you read
   * the present state of something and then act on its events. With `after` the stream has a cursor from the outset: it
   * resolves at once and sends no request, so it does not show whether the service can be reached or knows the cursor.
   * @throws as the stream does, or the reason of `signal`
   */
  started(): Promise<void> {
    return this.#start(this.#signal)
  }

  [Symbol.asyncIterator](): AsyncIterator<Event, undefined, undefined> {
    const waiting = new Set<AbortController>()
    let isOver = false
    return {
      next: async () => {
        if (isOver) return over
        const stop = new AbortController()
        waiting.add(stop)
        const turn = this.#latest
        let end = () => {}
        this.#latest = new Promise<void>((resolve) => {
          end = resolve
        })
        try {
          // Nothing else waits for this promise: V8 finds the loop of an error through promises with one reader.
          return await this.#next(turn, stop)
        } finally {
          waiting.delete(stop)
          turn.then(end)
        }
      },
      // A loop that was left gets no more events: the next one is for another loop.
      return: async () => {
        isOver = true
        for (const stop of waiting) stop.abort()
        return over
      },
    }
  }

  /** @param turn resolves when the calls before this one have ended */
  async #next(turn: Promise<unknown>, stop: AbortController): Promise<IteratorResult<Event, undefined>> {
    const { signal } = stop
    const abort = () => stop.abort()
    if (this.#signal?.aborted) abort()
    this.#signal?.addEventListener('abort', abort)
    try {
      await unlessAborted(signal, async () => {
        await turn
        await this.#start(signal)
      })
      for (;;) {
        signal.throwIfAborted()
        if (this.#isTruncated) {
          await this.#tellTruncated()
          continue
        }
        const event = this.#take()
        if (event) return { done: false, value: event }
        await this.#readPatiently(waitSeconds, signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
      return over
    } finally {
      this.#signal?.removeEventListener('abort', abort)
    }
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    await this.#opening
    while (this.#cursor === undefined) await this.#readPatiently(0, signal)
  }

  #take(): Event | undefined {
    const { events, cursor } = this.#page
    const event = events.shift()
    // The cursor of the page may be behind events that the stream does not want.
    if (event) this.#cursor = events.length === 0 ? cursor : event.id
    return event
  }

  async #tellTruncated(): Promise<void> {
    await this.#onTruncated?.()
    this.#isTruncated = false
    if (this.#page.events.length === 0) this.#cursor = this.#page.cursor
    if (!this.#onTruncated)
      throw new EventsMissedError('events after the cursor are gone: pass `onTruncated` to go on')
  }

  /** Reads until the service responds. */
  #readPatiently(wait: number, signal: AbortSignal | undefined): Promise<void> {
    return persist((inner) => this.#readPage(wait, inner), { signal })
  }

  async #readPage(wait: number, signal: AbortSignal | undefined): Promise<void> {
    const began = performance.now()
    const after = this.#cursor
    const page = await this.#read({ ...this.#query, wait, after }, { ...this.#call, signal, timeoutMs })
    // Another reader has begun meanwhile: this page is from before its events.
    if (this.#cursor !== after) return
    this.#isTruncated = page.truncated
    this.#page = { events: [...page.events], cursor: page.cursor }
    // The cursor moves when its events are given, or the gap is reported.
    if (after !== undefined && (page.events.length > 0 || page.truncated)) return
    this.#cursor = page.cursor
    const isEarly = performance.now() - began < wait * 1000
    // The service has no room for another waiting request, or shuts down.
    if (isEarly && !page.has_more) await pause((page.pause_seconds || 1) * 1000 + Math.random() * 500, signal)
  }
}

const over = { done: true, value: undefined } as const
