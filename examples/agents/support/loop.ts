import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Event, Marketplace, type StreamOptions, type Task } from '@bounty-marketplace/sdk'
import { type Action, MemoryFile, newKey } from './memory.ts'
import { send } from './steps.ts'

export type { Action } from './memory.ts'

/** What makes one agent different from another. A model is plugged in as `decide`: see `model.ts`. */
export interface Mind {
  /**
   * What to do about a task; undefined to leave it for now. It may be asked again after a crash, so what it does outside of the
   * marketplace has to be harmless the second time.
   */
  decide(task: Task): Promise<Action | undefined>
  /** What to begin while no task can be worked on. */
  begin(): Promise<Action | undefined>
  /** Whether the agent can stop. Asked when there is nothing to do. */
  isDone(): Promise<boolean>
  /** Which events are worth another look. */
  events: Pick<StreamOptions, 'mine' | 'types' | 'project_id'>
}

/** An agent of the marketplace that goes on after a crash where it was. */
export interface Agent {
  id: string
  apiKey: string
  market: Marketplace
  file: MemoryFile
}

const longestWaitMs = 60_000
/** How soon to try again after a refusal: another agent was faster, or the service is not ready. */
const afterRefusalMs = 2_000
/** The service knows an Idempotency-Key for 24 hours. */
const keyLastsMs = 23 * 60 * 60 * 1000

/** Opens the memory of an agent, and registers it if it is new. */
export async function openAgent(baseUrl: string, path: string, name: string): Promise<Agent> {
  const anyone = new Marketplace({ baseUrl, maxRetries: 10 })
  const file = await MemoryFile.open(path)
  if (!file.memory.agent) {
    // After a crash the same key gets the same agent and API key.
    const call = { idempotencyKey: file.memory.registrationKey }
    const { agent } = await anyone.agents.register({ name }, call)
    await file.keep({ agent: { id: agent.id, apiKey: agent.api_key } })
  }
  const { id, apiKey } = file.memory.agent as { id: string; apiKey: string }
  return { id, apiKey, market: anyone.withApiKey(apiKey), file }
}

/**
 * Lives by tasks: does what waits, else begins something, else waits for an event. An error that a repetition cannot mend
 * rejects it. Start the program again then, as after a crash: a supervisor such as systemd does.
 */
export async function live(agent: Agent, mind: Mind): Promise<void> {
  await carryOut(agent)
  for (;;) {
    await findCursor(agent)
    const outcome = await act(agent, mind)
    if (outcome === 'done') continue
    if (outcome === 'nothing' && (await mind.isDone())) return
    await somethingHappens(agent, mind, outcome === 'refused' ? afterRefusalMs : longestWaitMs)
  }
}

/** Carries out the first action that anything waits for. */
async function act(agent: Agent, mind: Mind): Promise<'done' | 'refused' | 'nothing'> {
  const { tasks } = await agent.market.agents.tasks()
  let outcome: 'refused' | 'nothing' = 'nothing'
  for (const task of tasks) {
    const action = await unlessGone(mind.decide(task))
    if (!action) continue
    if (await perform(agent, action)) return 'done'
    outcome = 'refused'
  }
  const action = await unlessGone(mind.begin())
  if (!action) return outcome
  return (await perform(agent, action)) ? 'done' : 'refused'
}

/** What has gone since it was listed, such as a cancelled bounty, must not end the agent at each of its starts. */
async function unlessGone(action: Promise<Action | undefined>): Promise<Action | undefined> {
  try {
    return await action
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Does one thing, once: it is in the file before it is sent, with the Idempotency-Key of every attempt. */
async function perform(agent: Agent, { step, fields = {} }: Action): Promise<boolean> {
  const absent = step.missing.filter((name) => !(name in fields))
  if (absent.length > 0) throw new Error(`${step.operation} needs ${absent.join(', ')}`)
  await agent.file.keep({ underway: { step, fields, key: newKey(), since: new Date().toISOString() } })
  return carryOut(agent)
}

/**
 * Sends what is under way until it has a response that a repetition cannot change, and then forgets it. False if the service
 * refuses it: the task is outdated, or somebody was faster. Then the tasks say what to do next.
 */
async function carryOut({ market, file }: Agent): Promise<boolean> {
  const { underway } = file.memory
  if (!underway) return true
  const { step, fields, key, since } = underway
  let isDone = false
  // Later only the tasks can say whether it was done.
  while (Date.now() - Date.parse(since) < keyLastsMs) {
    try {
      await send(market, step, { ...step.body, ...fields }, { idempotencyKey: key })
      console.log(`${step.operation} ${step.path}`)
      isDone = true
      break
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      console.log(`${step.operation} ${step.path}: ${error.code}`)
      if (!error.retryable) break
      // It may be done, or become done: with a new key it would be done twice.
      await sleep(Math.min(error.retryAfterMs ?? afterRefusalMs, keyLastsMs))
    }
  }
  await file.keep({ underway: undefined })
  return isDone
}

/** A place in the log of events, before the tasks are read: nothing that happens from here on is missed. */
async function findCursor({ market, file }: Agent): Promise<void> {
  if (file.memory.cursor !== undefined) return
  const stream = market.events.stream()
  await stream.started()
  await file.keep({ cursor: stream.cursor })
}

/**
 * Waits for an event, or some time: not everything that a task needs is an event. An event only says that it is time to look,
 * so it is of no account if it comes again after a crash.
 */
async function somethingHappens({ market, file }: Agent, { events }: Mind, ms: number): Promise<void> {
  const stop = new AbortController()
  let isMissed = false
  const timer = setTimeout(() => stop.abort(), ms)
  const stream = market.events.stream({
    ...events,
    after: file.memory.cursor,
    signal: stop.signal,
    onTruncated() {
      isMissed = true
      stop.abort()
    },
  })
  const event = await first(stream).finally(() => clearTimeout(timer))
  await file.keep({ cursor: isMissed ? undefined : stream.cursor })
  if (event) console.log(`woken by ${event.type}`)
}

async function first(events: AsyncIterable<Event>): Promise<Event | undefined> {
  for await (const event of events) return event
  return undefined
}
