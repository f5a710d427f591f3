import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { fill } from '../seeding/fill.ts'
import { type Sizes, sizesFor } from '../seeding/rows.ts'
import { compile, root } from './compile.ts'
import { type LoadGenerator, startGenerator } from './load.ts'
import type { Options } from './options.ts'
import { type Placement, pin, placeProcesses } from './placement.ts'
import { type BenchPostgres, startBenchPostgres } from './postgres.ts'
import type { ServerUnderTest } from './server.ts'
import { type BenchSurroundings, startSurroundings } from './surroundings.ts'

/** Everything the parts of the benchmark share. */
export interface Bench {
  options: Options
  placement: Placement
  postgres: BenchPostgres
  surroundings: BenchSurroundings
  generator: LoadGenerator
  /** For files of this run. */
  directory: string
  log(line: string): void
  /** A database filled with that many bounties; made once for each purpose. */
  seeded(bounties: number, purpose?: string): Promise<SeededDatabase>
  /** Drops a database that {@link Bench.seeded} made. */
  forget(bounties: number, purpose?: string): Promise<void>
  /** The service as built now, then the builds named on the command line. */
  ours(databaseUrl: string, environment?: Record<string, string>): ServerUnderTest[]
  /** A server of `servers/`; `name` is that of its script, and of the server unless `as` says another. */
  peer(name: string, label: string, environment: Record<string, string>, as?: string): ServerUnderTest
  /** The service and the two Fastify servers that it is measured against. */
  rivals(databaseUrl: string): ServerUnderTest[]
  close(): Promise<void>
}

export interface SeededDatabase {
  url: string
  sizes: Sizes
}

const labelOfOurs = 'this service'
const pipelined = 'fastify-pipelined'

/** Names of the servers whose faster one every ratio of reads refers to. */
export const rivalNames = ['fastify', pipelined]

/** Brings everything up. A quick one pins nothing. */
export async function openBench(options: Options, log: Bench['log'] = print): Promise<Bench> {
  // Each process that is started listens for the end of this one.
  process.setMaxListeners(100)
  const directory = join(root, '.cache/bench', randomUUID().slice(0, 8))
  await mkdir(directory, { recursive: true })
  const placement = placeProcesses({ pinned: !options.quick })
  // Everything that is started from here inherits this; the servers and Postgres are moved.
  pin(process.pid, placement.generator)
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const closers: (() => Promise<unknown>)[] = [async () => remove()]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    log(placement.description)
    const scripts = await compile(directory, options)
    const postgres = await startBenchPostgres(directory, placement)
    closers.push(postgres.stop)
    const surroundings = await startSurroundings(directory)
    closers.push(surroundings.stop)
    const generator = startGenerator(scripts.generator)
    closers.push(async () => generator.stop())
    const databases = createDatabases(postgres, log)
    const ours: Bench['ours'] = (databaseUrl, environment) =>
      [{ name: 'ours', folder: '' }, ...options.also].map(({ name, folder }) => ({
        name,
        label: folder ? `${labelOfOurs}, ${name}` : labelOfOurs,
        script: folder ? join(folder, 'server/main.js') : scripts.server,
        environment: { ...surroundings.settings, DATABASE_URL: databaseUrl, ...environment },
      }))
    const peer: Bench['peer'] = (name, label, environment, as = name) => ({
      ...{ name: as, label, script: scripts.peer(name), environment },
    })
    return {
      ...{ options, placement, postgres, surroundings, generator, directory, log },
      ...databases,
      ...{ ours, peer, close },
      rivals: (DATABASE_URL) => [
        ...ours(DATABASE_URL),
        peer('fastify', 'Fastify, pool', { DATABASE_URL }),
        peer('fastify', 'Fastify, pipelined', { DATABASE_URL, PIPELINED: 'true' }, pipelined),
      ],
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

function print(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
}

function createDatabases(postgres: BenchPostgres, log: (line: string) => void) {
  const made = new Map<string, SeededDatabase>()
  const nameOf = (bounties: number, purpose: string) => `bench_${purpose}_${bounties}`
  return {
    async seeded(bounties: number, purpose = 'shared'): Promise<SeededDatabase> {
      const name = nameOf(bounties, purpose)
      const known = made.get(name)
      if (known) return known
      const sizes = sizesFor(bounties)
      log(`seeding ${bounties} bounties, ${sizes.projects} projects, ${sizes.agents} agents`)
      const started = performance.now()
      const url = await postgres.unpinned(async () => {
        const address = await postgres.create(name)
        const client = new pg.Client({ connectionString: address })
        await client.connect()
        await fill(client, sizes, log)
        await client.end()
        return address
      })
      log(`seeded in ${((performance.now() - started) / 1000).toFixed(0)} s`)
      const database = { url, sizes }
      made.set(name, database)
      return database
    },
    async forget(bounties: number, purpose = 'shared'): Promise<void> {
      const name = nameOf(bounties, purpose)
      if (made.delete(name)) await postgres.drop(name)
    },
  }
}
