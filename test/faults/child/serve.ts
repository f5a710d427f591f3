import { subscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createApp } from '../../../server/app.ts'
import { readConfig } from '../../../server/config/config.ts'
import { nodeErrorText } from '../../../server/config/node-error-text.ts'
import { alarmChannel } from '../../../server/loops/alarms.ts'
import type { Timing } from '../../../server/loops/timing.ts'
import { compose } from '../../../server/startup/compose.ts'
import { connect } from '../../../server/startup/connect/connect.ts'
import { armKillSwitches, type Switch } from './kill-switch.ts'

/** The settings of a process. */
export interface Order {
  /** Settings by the names of their environment variables. */
  settings: Record<string, string>
  timing: Partial<Timing>
  /** Whether the loops run that need no chain: deadlines, the log of events, webhooks, pull requests. */
  databaseLoops?: boolean
  /** How far its clock is ahead, in ms. */
  clockOffsetMs: number
  switches: Switch[]
  /** The folder that the processes of a schedule share. */
  directory: string
}

/**
 * The service as a process of its own, with short times. It waits for its settings on standard input, so that a spare one
 * can be kept ready, and writes its address to standard output.
 */
async function main(): Promise<void> {
  const order = JSON.parse(await firstLine()) as Order
  const { settings, timing, clockOffsetMs } = order
  armKillSwitches(order.switches, order.directory)
  subscribe(alarmChannel, (alarm) => process.stdout.write(`@alarm ${JSON.stringify(alarm)}\n`))
  setClock(clockOffsetMs)
  const config = readConfig({
    EMBEDDED: 'off',
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMITS: 'off',
    ...settings,
  })
  const log = pino({ level: config.LOG_LEVEL })
  const { connections, reachChain } = await connect(config, log, () => undefined)
  const composition = compose({ ...connections, timing })
  await composition.start()
  if (order.databaseLoops) composition.startDatabaseLoops()
  await reachChain()
  const app = await createApp(composition.services)
  await app.listen({ port: config.PORT, host: config.HOST })
  process.stdout.write(`@ready ${(app.server.address() as AddressInfo).port}\n`)
}

function setClock(offsetMs: number): void {
  const Clock = Date
  if (offsetMs === 0) return
  globalThis.Date = class extends Clock {
    constructor(...time: [] | [string | number | Date]) {
      if (time.length === 0) super(Clock.now() + offsetMs)
      else super(...time)
    }
    static override now = () => Clock.now() + offsetMs
  } as DateConstructor
}

function firstLine(): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    process.stdin.setEncoding('utf8')
    process.stdin.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    // The parent is gone, so nothing else would end this process.
    process.stdin.on('end', () => process.exit())
  })
}

process.on('SIGTERM', () => process.exit())
main().catch((error) => {
  process.stdout.write(`@failed ${nodeErrorText(error)}\n`)
  process.exit(1)
})
