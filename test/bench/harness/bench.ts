import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fill } from '../seeding/fill.ts'
import { type Sizes, sizesFor } from '../seeding/rows.ts'
import { type BenchEnvironment, startEnvironment } from './environment.ts'
import { type LoadGenerator, startGenerator } from './load.ts'
import type { Options } from './options.ts'
import { type Placement, pin, placeProcesses } from './placement.ts'
import { type BenchPostgres, connect, startBenchPostgres } from './postgres.ts'
import { type RunningServer, type ServerUnderTest, startServer } from './server.ts'

/** Everything the parts of the benchmark share. */
export interface Bench {
  options: Options
  placement: Placement
  postgres: BenchPostgres
  environment: BenchEnvironment
  generator: LoadGenerator
  log(line: string): void
  /** A database filled with that many bounties; made once for each purpose. */
  seeded(bounties: number, purpose?: string): Promise<SeededDatabase>
  /** Drops a database that {@link Bench.seeded} made. */
  forget(bounties: number, purpose?: string): Promise<void>
  /** The service as built now, then the builds named on the command line. */
  ours(databaseUrl: string): ServerUnderTest[]
  /** Those, and the two Fastify servers that the service is measured against. */
  rivals(databaseUrl: string): ServerUnderTest[]
  /** Starts the service as built now, on every core unless told. */
  start(
    databaseUrl: string,
    settings?: Record<string, string>,
    cores?: string | undefined,
  ): Promise<RunningServer>
  close(): Promise<void>
}

export interface SeededDatabase {
  url: string
  sizes: Sizes
}

export const root = join(import.meta.dirname, '../../..')
const labelOfOurs = 'this service'

/** Names of the servers whose faster one every ratio refers to. */
export const rivalNames = ['fastify', 'fastify-pipelined']

/** Brings everything up. A quick one pins nothing. */
export async function openBench(options: Options, log: Bench['log'] = print): Promise<Bench> {
  // Each process that is started listens for the end of this one.
  process.setMaxListeners(100)
  const directory = join(root, '.cache/bench', randomUUID().slice(0, 8))
  await mkdir(directory, { recursive: true })
  const placement = placeProcesses(!options.quick)
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
    const present = options.source ? join(root, 'server/main.ts') : await compile(directory)
    const postgres = await startBenchPostgres(directory, placement)
    closers.push(postgres.stop)
    const environment = await startEnvironment(directory)
    closers.push(environment.stop)
    const generator = startGenerator()
    closers.push(async () => generator.stop())
    const environmentOf = (DATABASE_URL: string) => ({ ...environment.settings, DATABASE_URL })
    const ours: Bench['ours'] = (url) => [
      { name: 'ours', label: labelOfOurs, script: present, environment: environmentOf(url) },
      ...options.also.map(({ name, folder }) => ({
        name,
        label: `${labelOfOurs}, ${name}`,
        script: join(folder, 'server/main.js'),
        environment: environmentOf(url),
      })),
    ]
    const fastify = { script: join(import.meta.dirname, '../servers/fastify.mjs') }
    const [pool = '', pipelined = ''] = rivalNames
    return {
      options,
      placement,
      postgres,
      environment,
      generator,
      log,
      ours,
      close,
      ...createDatabases(postgres, log),
      rivals: (url) => [
        ...ours(url),
        { ...fastify, name: pool, label: 'Fastify, pool', environment: { DATABASE_URL: url } },
        {
          ...fastify,
          name: pipelined,
          label: 'Fastify, pipelined',
          environment: { DATABASE_URL: url, PIPELINED: 'true' },
        },
      ],
      start(url, settings, cores = placement.everything) {
        const environment = { ...environmentOf(url), ...settings }
        return startServer({ name: 'ours', label: labelOfOurs, script: present, environment }, cores)
      },
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

function print(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
}

/** Builds the server, and copies the build, so that a later one does not pull the files away under a running process. */
async function compile(directory: string): Promise<string> {
  const { status } = spawnSync(process.execPath, ['server/ops/build.mjs'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('the build failed')
  await cp(join(root, 'dist'), join(directory, 'dist'), { recursive: true })
  return join(directory, 'dist/server/main.js')
}

function createDatabases(postgres: BenchPostgres, log: Bench['log']): Pick<Bench, 'seeded' | 'forget'> {
  const made = new Map<string, SeededDatabase>()
  const nameOf = (bounties: number, purpose: string) => `bench_${purpose}_${bounties}`
  return {
    async seeded(bounties, purpose = 'shared') {
      const name = nameOf(bounties, purpose)
      const known = made.get(name)
      if (known) return known
      const sizes = sizesFor(bounties)
      log(`seeding ${bounties} bounties, ${sizes.projects} projects, ${sizes.agents} agents`)
      const url = await postgres.create(name)
      await postgres.unpinned(async () => {
        const client = await connect(url)
        await fill(client, sizes, log).finally(() => client.end())
      })
      log('seeded')
      const database = { url, sizes }
      made.set(name, database)
      return database
    },
    async forget(bounties, purpose = 'shared') {
      const name = nameOf(bounties, purpose)
      if (made.delete(name)) await postgres.drop(name)
    },
  }
}
