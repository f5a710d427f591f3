import { channel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { vi } from 'vitest'

/** What all test files of a process share and none may leave changed: names with their values. */
export type Surroundings = Map<string, unknown>

export function surroundings(): Surroundings {
  return new Map<string, unknown>([
    ['fake timers', vi.isFakeTimers()],
    ...Object.entries(process.env)
      .filter(([name]) => !name.startsWith('VITEST_'))
      .map(([name, value]) => [`process.env.${name}`, value] as const),
    ...members('globalThis', globalThis),
    ...members('console', console),
    ...members('Math', Math),
    ...members('Date', Date),
    ...members('performance', performance),
    ...members('process', process),
    ...members('process.stdout', process.stdout),
    ...members('process.stderr', process.stderr),
    ...process
      .eventNames()
      // Packages that write at the end of a process register for that once.
      .filter((name) => name !== 'exit' && name !== 'beforeExit')
      .map((name) => [`listeners of process.on(${String(name)})`, process.listenerCount(name)] as const),
    ...[...subscribers].map(([name, of]) => [`subscribers of ${String(name)}`, of.size] as const),
  ])
}

/** What changed since `before`. */
export function changesSince(before: Surroundings): string[] {
  const after = surroundings()
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? absent(name), after.get(name)]
    return Object.is(was, is) || was === unknown ? [] : [`${name} is ${brief(is)} and was ${brief(was)}`]
  })
}

/** Members that were not there are no fault: packages add their own. All else that is new is one. */
const unknown = Symbol('unknown')
const absent = (name: string) =>
  /^(globalThis|console|Math|Date|performance|process\.std(out|err)|process)\.(?!env\.)/.test(name)
    ? unknown
    : undefined

const brief = (value: unknown) => inspect(value, { depth: 0 }).slice(0, 100)

/** Functions and other values of an object, but for what Node and packages make when it is first needed. */
function members(of: string, object: object): [string, unknown][] {
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
