import { channel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import pg from 'pg'
import { vi } from 'vitest'

/** What all test files of a process share and none may leave changed: values by name. */
export interface SharedState {
  /** Members of objects. New ones are no fault: packages add their own. */
  members: Map<string, unknown>
  others: Map<string, unknown>
}

export function sharedState(): SharedState {
  return {
    members: new Map(Object.entries(shared).flatMap(([name, object]) => membersOf(name, object))),
    others: new Map<string, unknown>([
      ['fake timers', vi.isFakeTimers()],
      ...Object.entries(process.env)
        .filter(([name]) => !name.startsWith('VITEST_'))
        .map(([name, value]) => [`process.env.${name}`, value] as const),
      ...process
        .eventNames()
        // Packages that write at the end of a process register for that once.
        .filter((name) => name !== 'exit' && name !== 'beforeExit')
        .map((name) => [`listeners of process.on(${String(name)})`, process.listenerCount(name)] as const),
      ...[...subscribers]
        .filter(([, of]) => of.size > 0)
        .map(([name, of]) => [`subscribers of ${String(name)}`, of.size] as const),
    ]),
  }
}

/** What changed since `before`. */
export function changesSince(before: SharedState): string[] {
  const after = sharedState()
  const difference = (name: string, was: unknown, is: unknown) =>
    Object.is(was, is) ? [] : [`${name} is ${brief(is)} and was ${brief(was)}`]
  const others = new Set([...before.others.keys(), ...after.others.keys()])
  return [
    ...[...others].flatMap((name) => difference(name, before.others.get(name), after.others.get(name))),
    ...[...before.members].flatMap(([name, was]) => difference(name, was, after.members.get(name))),
  ]
}

const brief = (value: unknown) => inspect(value, { depth: 0 }).slice(0, 100)

const shared = {
  globalThis,
  console,
  Math,
  Date,
  performance,
  process,
  'process.stdout': process.stdout,
  'process.stderr': process.stderr,
  'pg.Client.prototype': pg.Client.prototype,
}

/** Functions and other values of an object, but for what Node and packages make when it is first needed. */
function membersOf(of: string, object: object): [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([name, { value }]) =>
    value === undefined || name.startsWith('_') || /^(chdir|cwd)$/.test(name)
      ? []
      : [[`${of}.${name}`, value]],
  )
}

/** The subscribers of each channel of `diagnostics_channel`. Node cannot list them. */
const subscribers = new Map<string | symbol, Set<unknown>>()
const probe = channel('test')
const none = () => undefined
const idle = Object.getPrototypeOf(probe)
probe.subscribe(none)
const active = Object.getPrototypeOf(probe)
probe.unsubscribe(none)
for (const prototype of [idle, active]) {
  const { subscribe, unsubscribe } = prototype
  Object.assign(prototype, {
    subscribe(this: typeof probe, subscriber: unknown) {
      const of = subscribers.get(this.name) ?? new Set()
      subscribers.set(this.name, of.add(subscriber))
      return Reflect.apply(subscribe, this, [subscriber])
    },
    unsubscribe(this: typeof probe, subscriber: unknown) {
      subscribers.get(this.name)?.delete(subscriber)
      return Reflect.apply(unsubscribe, this, [subscriber])
    },
  })
}
