import { subscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createApp } from '../../../server/app.ts'
import { nodeErrorText } from '../../../server/chain/rpc-errors.ts'
import { readConfig } from '../../../server/config/config.ts'
import { alarmChannel } from '../../../server/engines/alarms.ts'
import type { Timing } from '../../../server/engines/timing.ts'
import { compose } from '../../../server/startup/compose.ts'
import { connect } from '../../../server/startup/connect/connect.ts'
import { armKillSwitches, type Switch } from './kill-switch.ts'

/** What a process is to be. */
export interface Order {
  /** Settings by the names of their environment variables. */
  settings: Record<string, string>
  timing: Partial<Timing>
  idempotencyLeaseSeconds: number
  /** What its clock is ahead of everybody else's. */
  clockOffsetMs: number
  switches: Switch[]
  /** Where the processes of a schedule leave each other word. */
  directory: string
}

/**
 * The service as a process of its own, at a pace that lets a test see the end of it. It waits for its settings on
 * standard input, so that a spare one can be kept ready, and tells there where it listens.
 */
async function main(): Promise<void> {
  const order = JSON.parse(await firstLine()) as Order
  const { settings, timing, idempotencyLeaseSeconds, clockOffsetMs } = order
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
  await reachChain()
  const app = await createApp(composition.services, { idempotencyLeaseSeconds })
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
    // Whoever started this process is gone: nobody would end it.
    process.stdin.on('end', () => process.exit())
  })
}

process.on('SIGTERM', () => process.exit())
main().catch((error) => {
  process.stdout.write(`@failed ${nodeErrorText(error)}\n`)
  process.exit(1)
})
