/**
 * One embedded part in a process of its own, for tests that kill it.
 * Arguments: the part and its options as JSON. Prints what the part returned as one JSON line, then serves until
 * SIGINT, upon which it stops the part and prints "stopped", or SIGTERM, upon which it exits at once.
 */
import { startChain } from '../../server/embedded/chain/chain.ts'
import { startGitHub } from '../../server/embedded/github/github.ts'
import { startEmbedded } from '../../server/embedded/index.ts'
import { startPostgres } from '../../server/embedded/postgres/postgres.ts'

const log = { info: (line: string) => console.error(line), warn: (line: string) => console.error(line) }
const parts = { chain: startChain, embedded: startEmbedded, github: startGitHub, postgres: startPostgres }

const [name, options] = process.argv.slice(2)
const start = parts[name as keyof typeof parts] as (options: object) => Promise<{ stop(): Promise<void> }>
const alive = setInterval(() => {}, 60_000)
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(1))
try {
  const part = await start({ ...JSON.parse(options!), log })
  process.on('SIGINT', async () => {
    await part.stop()
    console.log('stopped')
    clearInterval(alive)
  })
  console.log(JSON.stringify(part))
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }))
  clearInterval(alive)
}
