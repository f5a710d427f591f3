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
  /** For load beside the measured one. */
  secondGenerator: LoadGenerator
  /** For files of this run. */
  directory: string
  log(line: string): void
  /**
   * A database filled with that many bounties; made once for each purpose. Its schema is the current one, or the one that
   * `migrate` makes of an empty database.
   */
  seeded(
    bounties: number,
    purpose?: string,
    migrate?: (url: string) => Promise<unknown>,
  ): Promise<SeededDatabase>
  /** Drops a database that {@link Bench.seeded} made. */
  forget(bounties: number, purpose?: string): Promise<void>
  /** The service as built now, then the builds named on the command line. */
  ours(databaseUrl: string, environment?: Record<string, string>): ServerUnderTest[]
  peer(
    name: string,
    label: string,
    databaseUrl: string,
    environment?: Record<string, string>,
  ): ServerUnderTest
  close(): Promise<void>
}

export interface SeededDatabase {
  url: string
  sizes: Sizes
}

const labelOfOurs = 'this service'

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
    const secondGenerator = startGenerator(scripts.generator)
    closers.push(async () => secondGenerator.stop())
    const databases = createDatabases(postgres, log)
    return {
      options,
      placement,
      postgres,
      surroundings,
      generator,
      secondGenerator,
      directory,
      log,
      ...databases,
      ours: (databaseUrl, environment) =>
        [{ name: 'ours', folder: '' }, ...options.also].map(({ name, folder }) => ({
          name,
          label: folder ? `${labelOfOurs}, ${name}` : labelOfOurs,
          script: folder ? join(folder, 'server/main.js') : scripts.server,
          environment: { ...surroundings.settings, DATABASE_URL: databaseUrl, ...environment },
        })),
      peer: (name, label, databaseUrl, environment) => ({
        name,
        label,
        script: scripts.peer(name),
        environment: { DATABASE_URL: databaseUrl, ...environment },
      }),
      close,
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
    async seeded(
      bounties: number,
      purpose = 'shared',
      migrate?: (url: string) => Promise<unknown>,
    ): Promise<SeededDatabase> {
      const name = nameOf(bounties, purpose)
      const known = made.get(name)
      if (known) return known
      const sizes = sizesFor(bounties)
      log(`seeding ${bounties} bounties, ${sizes.projects} projects, ${sizes.agents} agents`)
      const started = performance.now()
      const url = await postgres.unpinned(async () => {
        const address = await postgres.create(name, { migrated: migrate === undefined })
        await migrate?.(address)
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
