import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { type Config, readConfig, suspectNames } from './config/config.ts'
import { createLog } from './observability/log.ts'
import { type Observed, observe } from './observability/observe.ts'
import { explain } from './ops/explain.ts'
import { compose } from './startup/compose.ts'
import { type Connected, connect, needsEmbedded } from './startup/connect/connect.ts'
import { checkPorts, portProblem } from './startup/ports.ts'
import { closeGracefully } from './startup/shutdown.ts'
import { watchParent } from './startup/watch-parent.ts'

/** One Ctrl-C reaches us several times, from the terminal and from what started us; a later one means it. */
const impatientMs = 1000
/** Longest time a process takes to end after a signal, and the part of it in which waiting requests may go on waiting. */
const endingMs = 30_000
const patienceMs = 10_000

const started = performance.now()

async function main(): Promise<void> {
  // Whoever read our lines may have gone; that is no reason to end without finishing what was accepted.
  process.stdout.on('error', () => undefined)
  const endings = createEndings()
  try {
    const config = readConfig(process.env)
    const log = createLog(config)
    const atTerminal = needsEmbedded(config)
    const say = atTerminal ? (line: string) => console.log(line) : (line: string) => log.info(line)
    endings.say(say)
    for (const line of suspectNames(process.env)) say(line)
    await checkPorts(config)
    const connected = await connect(config, log, say)
    endings.add(connected.close)
    const composition = compose(connected.connections)
    endings.add(composition.stop)
    // Before the chain is reached: payments that the database has lost are counted then.
    const observed = await observe(connected)
    endings.add(observed.stop)
    await composition.start()
    await connected.reachChain()
    const base = await listen(config, connected, composition.services, observed, endings.add)
    if (atTerminal) greet(base, connected)
    else log.info({ address: base, version: observed.version }, 'serving')
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
    await endings.run()
    process.exit()
  }
  endings.armed()
}

/** Serves the API; resolves with the address agents use. */
async function listen(
  config: Config,
  connected: Connected,
  services: Parameters<typeof createApp>[0],
  observed: Observed,
  onEnd: (ending: () => Promise<unknown>) => void,
): Promise<string> {
  const app = await createApp(services, {
    rateLimits: !connected.embedded?.database,
    onResponse: observed.onResponse,
    onShed: observed.onShed,
    instrument: observed.instrument,
  })
  const leave = closeGracefully(app.server, patienceMs)
  await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
    throw portProblem(error, 'PORT', config.PORT)
  })
  onEnd(async () => {
    await leave()
    await app.close()
  })
  return baseUrl(config, (app.server.address() as AddressInfo).port)
}

/** What was started is ended newest first: once, at a signal or when the start fails. */
function createEndings() {
  const endings: (() => Promise<unknown>)[] = []
  let say: (line: string) => void = console.log
  let signalled: NodeJS.Signals | undefined
  let signalledAt = 0
  let isArmed = false
  async function run(): Promise<void> {
    for (const ending of endings.splice(0).reverse()) await ending()
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    say(`${signal}: finishing what was accepted`)
    setTimeout(() => process.exit(1), endingMs).unref()
    await run()
    process.exit(0)
  }
  function onSignal(signal: NodeJS.Signals): void {
    if (signalled) {
      if (performance.now() - signalledAt > impatientMs) process.exit(1)
      return
    }
    signalled = signal
    signalledAt = performance.now()
    // During the start there is nothing whole to end yet; it is ended as soon as there is.
    if (isArmed) void end(signal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  if (process.env.npm_lifecycle_event !== undefined)
    watchParent(() => {
      if (!signalled) onSignal('SIGTERM')
    })
  return {
    add: (ending: () => Promise<unknown>) => void endings.push(ending),
    say(line: (text: string) => void) {
      say = line
    },
    run,
    armed() {
      isArmed = true
      if (signalled) void end(signalled)
    },
  }
}

function baseUrl(config: Config, port: number): string {
  const everywhere = config.HOST === '0.0.0.0' || config.HOST === '::'
  return config.PUBLIC_URL ?? `http://${everywhere ? '127.0.0.1' : config.HOST}:${port}`
}

function greet(base: string, { connections, embedded }: Connected): void {
  const { repositories, config } = connections
  const lines = [
    '',
    `Bounty marketplace is ready after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    `  API        ${base}/api`,
    `  Docs       ${base}/docs`,
    `  For agents ${base}/skill.md`,
    `  Document   ${base}/openapi.json`,
    `  Chain      ${chainLine(connections)}`,
    `  Code host  ${repositories ? `${repositories.url}/${repositories.organization}` : 'not configured'}`,
    ...(embedded?.database && config.RATE_LIMITS !== 'on'
      ? [
          '  Rate limits are off, because nothing is configured: set RATE_LIMITS=on before others can reach this address',
        ]
      : []),
    '',
    'Try it:',
    `  curl -s ${base}/api/config/public`,
    `  curl -s -X POST ${base}/api/agents/register -H 'Content-Type: application/json' -d '{"name":"Ada"}'`,
    `  curl -s '${base}/api/bounties?status=open'`,
    '',
  ]
  for (const line of lines) console.log(line)
}

function chainLine({ chain: { chain, state }, config }: Connected['connections']): string {
  if (chain) return `${config.CHAIN_PUBLIC_RPC_URL ?? chain.name} (id ${chain.id})`
  return state === 'not_configured' ? 'not configured' : 'does not answer; it is tried again'
}

void main()
