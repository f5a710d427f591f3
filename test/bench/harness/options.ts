import { parseArgs } from 'node:util'

/** The parts of the benchmark, in the order in which `all` runs them. */
export const partNames = [
  'reads',
  'polling',
  'writes',
  'payouts',
  'events',
  'webhooks',
  'growth',
  'model',
] as const

export type PartName = (typeof partNames)[number]

/** What the command line asks for. */
export interface Options {
  parts: PartName[]
  /** Seconds that one measurement lasts, after its warm-up. */
  seconds: number
  warmupSeconds: number
  /** How often each server is measured; the servers take turns. */
  rounds: number
  connections: number
  /** Bounties in the database of every part but `growth`. */
  bounties: number
  /** Sizes that `growth` compares, in bounties. */
  sizes: number[]
  quick: boolean
  /** A build of the server to take instead of compiling it. */
  dist: string | undefined
  /** Whether to run the server from source, as tests do, instead of compiling it. */
  source: boolean
  /** Further builds of the server to put beside the current one, by name. */
  also: { name: string; folder: string }[]
  /** Names of the servers to measure; all where it is empty. */
  only: string[]
  /** Whether to write result files, and the charts and the table of the page. */
  record: boolean
  /** Other assumptions of the model, as `name=value`. */
  assumptions: string[]
}

export const usage = `npm run bench -- <part>… [options]
  parts: ${partNames.join(', ')}, or all
  --quick              a second or two each, to see that everything works
  --seconds <n>        length of one measurement (2.5)
  --rounds <n>         measurements of each server (4)
  --connections <n>    connections kept open (32)
  --bounties <n>       rows under the reads (100000)
  --sizes <a,b,c>      rows under growth (10000,100000,1000000)
  --only <a,b>         just these servers
  --also <name=dist>   another build of the server beside the current one; may be repeated
  --dist <folder>      a build of the server to measure, instead of compiling it
  --record             write .cache/bench/recorded/ and, from it, the charts and the table of the page; all does so, unless quick
  model takes other assumptions, such as agents=1e5: test/bench/model/profile.ts lists them`

/** @throws Error with one line for the person who typed it. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string', default: '32' },
      bounties: { type: 'string' },
      sizes: { type: 'string' },
      only: { type: 'string', default: '' },
      also: { type: 'string', multiple: true, default: [] },
      dist: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  })
  const { quick } = values
  const assumptions = positionals.filter((text) => text.includes('='))
  const names = positionals.filter((text) => !text.includes('='))
  const seconds = Number(values.seconds ?? (quick ? 1 : 2.5))
  if (!(seconds > 0)) throw new Error('--seconds takes a number above 0')
  return {
    parts: readParts(names),
    seconds,
    warmupSeconds: quick ? 0.5 : 1,
    rounds: whole(values.rounds, quick ? 1 : 4),
    connections: whole(values.connections, 32),
    bounties: whole(values.bounties, quick ? 2_000 : 100_000),
    sizes: (values.sizes ?? (quick ? '1000,2000' : '10000,100000,1000000'))
      .split(',')
      .map((text) => whole(text, 0)),
    quick,
    dist: values.dist,
    source: false,
    also: values.also.map((text) => {
      const [name, folder] = text.split('=')
      if (!name || !folder) throw new Error(`--also ${text}: write name=folder`)
      return { name, folder }
    }),
    only: values.only.split(',').filter(Boolean),
    record: values.record || (names.includes('all') && !quick),
    assumptions,
  }
}

function readParts(names: string[]): PartName[] {
  if (names.includes('all')) return [...partNames]
  const unknown = names.filter((name) => !(partNames as readonly string[]).includes(name))
  if (unknown.length > 0 || names.length === 0) throw new Error(usage)
  return partNames.filter((name) => names.includes(name))
}

/** `1e5` is a whole number too. */
export function whole(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is no whole number`)
  return value
}
