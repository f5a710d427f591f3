import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { type Config, readConfig, suspectNames } from './config/config.ts'
import { lineAtStart } from './config/finding.ts'
import { exposedSecretFiles } from './config/secrets.ts'
import { createLog, flushLog } from './observability/log.ts'
import { type Observed, observe } from './observability/observe.ts'
import { explain } from './ops/explain.ts'
import { bannerLines } from './startup/banner.ts'
import { closeGracefully } from './startup/close-gracefully.ts'
import { type Composition, compose } from './startup/compose.ts'
import { type Connected, connect, needsEmbedded } from './startup/connect/connect.ts'
import { localUrl } from './startup/local-url.ts'
import { checkPorts, portProblem } from './startup/ports.ts'
import { createShutdown, type Shutdown } from './startup/shutdown.ts'

/** How long waiting requests may go on waiting after a signal. */
const patienceMs = 10_000

async function main(): Promise<void> {
  const started = performance.now()
  // The reader of our output may be gone. That is no reason to end without finishing accepted requests.
  process.stdout.on('error', () => undefined)
  const shutdown = createShutdown(console.log)
  try {
    const config = readConfig(process.env)
    const log = createLog(config)
    shutdown.add(() => flushLog(log))
    const atTerminal = needsEmbedded(config)
    const report = atTerminal ? (line: string) => console.log(line) : (line: string) => log.info(line)
    shutdown.reportTo(report)
    for (const line of suspectNames(process.env)) report(line)
    for (const finding of exposedSecretFiles(process.env)) report(lineAtStart(finding))
    await checkPorts(config)
    const connected = await connect(config, log, report)
    shutdown.add(connected.close)
    const composition = compose(connected.connections)
    shutdown.add(composition.stop)
    // Before the chain is reached, because payments that the database has lost are counted then.
    const observed = await observe(connected)
    shutdown.add(observed.stop)
    await composition.start()
    await connected.reachChain()
    const base = await listen(config, connected, composition, observed, shutdown)
    composition.startDatabaseLoops()
    if (atTerminal)
      for (const line of bannerLines(base, performance.now() - started, connected)) console.log(line)
    else log.info({ address: base, version: observed.version }, 'serving')
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
    await shutdown.run()
    process.exit()
  }
  shutdown.startIsOver()
}

/** Serves the API; resolves with the address agents use. */
async function listen(
  config: Config,
  connected: Connected,
  { services }: Composition,
  observed: Observed,
  shutdown: Shutdown,
): Promise<string> {
  const app = await createApp(services, {
    onResponse: observed.onResponse,
    onShed: observed.onShed,
  })
  const stopListening = closeGracefully(app.server, patienceMs)
  await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
    throw portProblem(error, 'PORT', config.PORT)
  })
  shutdown.add(async () => {
    await stopListening()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const address = localUrl(config.HOST, port)
  // The code host is on this machine, where a public address may not lead back to us.
  connected.embedded?.github?.connectTo(address)
  return config.PUBLIC_URL ?? address
}

void main()
