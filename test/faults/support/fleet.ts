import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { disarmed, type Switch } from '../child/kill-switch.ts'
import type { Order } from '../child/serve.ts'
import type { ProcessPool, RaisedAlarm, ServiceProcess } from './process.ts'

/** One place where the service runs: when its process ends, another one is started. */
export interface Slot {
  settings: Record<string, string>
  /** What each process adds to them; the last entry holds for all that follow. */
  settingsByLife?: Record<string, string>[]
  /** The switches of the first process, of the second and so on; later ones have none. */
  lives: Switch[][]
  /** Pause before a new process is started, in ms. */
  restartMs: number
  /** How long a stopped process sleeps, in ms; null: until it is woken. */
  sleepMs: number | null
  /** How far the clock of this slot is ahead, in ms. */
  clockOffsetMs: number
}

/** Every process of the service in a schedule. */
export interface Fleet {
  /** Addresses at which something may listen. */
  addresses(): string[]
  /** Resolves when every slot has a process that is ready. */
  ready(): Promise<void>
  /** From here on no switch strikes. */
  disarm(): void
  /** Arms the switches that wait for this name. */
  arm(name: string): void
  /** Ends the process of a slot; false if there is none. */
  kill(slot: number): boolean
  stop(slot: number): void
  /** Whether something listens there. */
  isServing(slot: number): boolean
  /** Resumes every stopped process. */
  wake(): void
  /** Ends the process of a slot and starts no other. */
  retire(slot: number): void
  /** Processes that were killed or stopped. */
  hits(): number
  /** Alarms that any process has raised so far. */
  alarms(): RaisedAlarm[]
  /** Switches that have struck. */
  switched(): number
  logs(): string[]
  close(): Promise<void>
}

export function launchFleet(
  processPool: ProcessPool,
  slots: Slot[],
  order: Omit<Order, 'settings' | 'switches' | 'clockOffsetMs'>,
): Fleet {
  const current: (ServiceProcess | undefined)[] = slots.map(() => undefined)
  const addresses: (string | undefined)[] = slots.map(() => undefined)
  const past: string[] = []
  const alarms: RaisedAlarm[] = []
  const retired = new Set<number>()
  let isClosed = false
  let hits = 0
  let switched = 0

  function sleep(service: ServiceProcess, { sleepMs }: Slot): void {
    hits++
    if (sleepMs !== null) void delay(sleepMs).then(service.resume)
  }

  async function keep(slot: Slot, index: number): Promise<void> {
    for (let life = 0; !isClosed && !retired.has(index); life++) {
      const switches = slot.lives[life] ?? []
      const added = slot.settingsByLife?.[Math.min(life, slot.settingsByLife.length - 1)]
      const url = named(slot, `slot-${index}-${life}`)
      const settings = { ...slot.settings, DATABASE_URL: url, ...added }
      const service = processPool.start({ ...order, clockOffsetMs: slot.clockOffsetMs, settings, switches })
      current[index] = service
      service.onStrike((action) => {
        switched++
        if (action === 'stop') sleep(service, slot)
      })
      service.onAlarm((alarm) => void alarms.push(alarm))
      service.ready.then(
        (url) => {
          addresses[index] = url
        },
        () => undefined,
      )
      await service.ended
      hits++
      addresses[index] = undefined
      past.push(...service.log().map((line) => `${index}.${life} ${line}`))
      await delay(slot.restartMs)
    }
  }

  const keepers = slots.map(keep)
  return {
    addresses: () => addresses.filter((url) => url !== undefined),
    async ready() {
      while (addresses.includes(undefined)) {
        if (isClosed) throw new Error('the fleet is closed')
        await delay(10)
      }
    },
    disarm() {
      writeFileSync(join(order.directory, disarmed), '')
    },
    arm(name) {
      writeFileSync(join(order.directory, name), '')
    },
    hits: () => hits,
    alarms: () => alarms,
    switched: () => switched,
    retire(slot) {
      retired.add(slot)
      current[slot]?.kill()
    },
    kill(slot) {
      current[slot]?.kill()
      return current[slot]?.isAlive() ?? false
    },
    stop(slot) {
      const service = current[slot]
      if (!service) return
      service.stop()
      sleep(service, slots[slot] as Slot)
    },
    isServing: (slot) => addresses[slot] !== undefined,
    wake() {
      for (const service of current) service?.resume()
    },
    logs: () => [
      ...past,
      ...current.flatMap((service, index) => service?.log().map((line) => `${index}. ${line}`) ?? []),
    ],
    async close() {
      isClosed = true
      for (const service of current) service?.kill()
      await Promise.all(keepers)
    },
  }
}

/** The address of the database with a connection name that identifies this process. */
function named({ settings }: Slot, name: string): string {
  const url = settings.DATABASE_URL as string
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`
}
