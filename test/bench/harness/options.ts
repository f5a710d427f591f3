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

const usage = `npm run bench -- <part>… [options]
  parts: ${partNames.join(', ')}, or all
  --quick              a second or two each, to see that everything works
  --seconds <n>        length of one measurement (2.5)
  --rounds <n>         measurements of each server, which take turns (4)
  --bounties <n>       rows in the database of every part but growth (100000)
  --sizes <a,b,c>      rows under growth (10000,100000,1000000)
  --only <a,b>         just these servers
  --also <name=dist>   another build of the server beside the current one; may be repeated
  --record             write .cache/bench/results.json and the table of the page; all does so, unless quick
  model takes other assumptions, such as agents=1e5: test/bench/model/profile.ts lists them`

export type Options = ReturnType<typeof readOptions>

/** @throws Error with one line for the person who typed it. */
export function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      bounties: { type: 'string' },
      sizes: { type: 'string' },
      only: { type: 'string', default: '' },
      also: { type: 'string', multiple: true, default: [] },
      record: { type: 'boolean', default: false },
    },
  })
  const { quick } = values
  const names = positionals.filter((text) => !text.includes('='))
  return {
    quick,
    parts: readParts(names),
    seconds: positive(values.seconds ?? (quick ? '1' : '2.5')),
    warmupSeconds: quick ? 0.5 : 1,
    rounds: positive(values.rounds ?? (quick ? '1' : '4')),
    /** Kept open by the load generator. */
    connections: 32,
    bounties: positive(values.bounties ?? (quick ? '2000' : '100000')),
    sizes: (values.sizes ?? (quick ? '1000,2000' : '10000,100000,1000000')).split(',').map(positive),
    /** Whether to run the server from source, as tests do, instead of compiling it. */
    source: false,
    also: values.also.map((text) => {
      const [name, folder] = text.split('=')
      if (!name || !folder) throw new Error(`--also ${text}: write name=folder`)
      return { name, folder }
    }),
    only: values.only.split(',').filter(Boolean),
    record: values.record || (names.includes('all') && !quick),
    assumptions: positionals.filter((text) => text.includes('=')),
  }
}

function readParts(names: string[]): PartName[] {
  if (names.includes('all')) return [...partNames]
  const unknown = names.filter((name) => !(partNames as readonly string[]).includes(name))
  if (unknown.length > 0 || names.length === 0) throw new Error(usage)
  return partNames.filter((name) => names.includes(name))
}

function positive(text: string): number {
  if (Number(text) > 0) return Number(text)
  throw new Error(`${text} is no number above 0`)
}
