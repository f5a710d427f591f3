import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { DeploymentError } from './chain/deploy.ts'
import { compose } from './compose.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type Connected, connect } from './connect.ts'
import { EmbeddedError } from './embedded/index.ts'

/** Longest time accepted requests get to finish after a signal. */
const drainMs = 30_000

const started = performance.now()
const say = (line: string) => console.log(line)

async function main(): Promise<void> {
  const endings = createEndings()
  try {
    const config = readConfig(process.env)
    const connected = await connect(config, say)
    endings.add(connected.close)
    const composition = compose(connected.connections)
    composition.start()
    endings.add(composition.stop)
    const app = await createApp(composition.parts, { rateLimits: !connected.embedded?.database })
    endings.add(() => app.close())
    await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
      throw portProblem(error, config.PORT)
    })
    const bound = app.server.address() as AddressInfo
    greet(baseUrl(config, bound.port), connected)
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
    await endings.run()
    process.exit()
  }
  endings.armed()
}

/** What was started is ended newest first: once, at a signal or when the start fails. */
function createEndings() {
  const endings: (() => Promise<unknown>)[] = []
  let signalled: NodeJS.Signals | undefined
  let isArmed = false
  async function run(): Promise<void> {
    for (const ending of endings.splice(0).reverse()) await ending()
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    say(`${signal}: finishing what was accepted`)
    setTimeout(() => process.exit(1), drainMs).unref()
    await run()
    process.exit(0)
  }
  function onSignal(signal: NodeJS.Signals): void {
    if (signalled) process.exit(1)
    signalled = signal
    // During the start there is nothing whole to end yet; it is ended as soon as there is.
    if (isArmed) void end(signal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    add: (ending: () => Promise<unknown>) => void endings.push(ending),
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

function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new ConfigError(`Port ${port} is taken: set PORT to another one`)
  if (error.code === 'EACCES') return new ConfigError(`Port ${port} may not be used: set PORT to another one`)
  return error
}

function greet(base: string, { connections, embedded }: Connected): void {
  const { chain, repositories, config } = connections
  const lines = [
    '',
    `Bounty marketplace is ready after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    `  API        ${base}/api`,
    `  Document   ${base}/openapi.json`,
    chain
      ? `  Chain      ${config.CHAIN_PUBLIC_RPC_URL ?? chain.name} (id ${chain.id})`
      : '  Chain      not configured',
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
  for (const line of lines) say(line)
}

/** One clear line for what the person at the terminal can mend; a stack only for what is our mistake. */
function explain(error: unknown): string {
  const mendable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DeploymentError
  if (mendable) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

void main()
