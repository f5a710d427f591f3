/**
 * Runs one embedded service in a separate process, for tests that kill it. Arguments: the service's name and its options as
 * JSON. Prints the started service as one JSON line. On SIGINT it stops the service and prints "stopped"; on SIGTERM it
 * exits at once.
 */
import { startChain } from '../../server/embedded/chain/local-chain.ts'
import { startGitHub } from '../../server/embedded/github/github.ts'
import { startEmbedded } from '../../server/embedded/index.ts'
import { startPostgres } from '../../server/embedded/postgres/postgres.ts'

const log = { info: (line: string) => console.error(line), warn: (line: string) => console.error(line) }
const services = { chain: startChain, embedded: startEmbedded, github: startGitHub, postgres: startPostgres }

const [name, options] = process.argv.slice(2)
const start = services[name as keyof typeof services] as (
  options: object,
) => Promise<{ stop(): Promise<void>; connectTo?(marketplaceUrl: string): void }>
const alive = setInterval(() => {}, 60_000)
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(1))
try {
  const { marketplaceUrl, ...given } = JSON.parse(options!)
  const service = await start({ ...given, log })
  if (marketplaceUrl) service.connectTo?.(marketplaceUrl)
  process.on('SIGINT', async () => {
    await service.stop()
    console.log('stopped')
    clearInterval(alive)
  })
  console.log(JSON.stringify(service))
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }))
  clearInterval(alive)
}
