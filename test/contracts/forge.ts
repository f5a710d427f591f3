import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { locateFoundry } from '../../server/embedded/chain/foundry.ts'

/** The repository's root. */
export const repository = resolve(import.meta.dirname, '../..')

/** One test of forge's report. */
export interface ForgeTest {
  /** Source file and contract, as `ProjectToken.t.sol:ProjectTokenTest`. */
  contract: string
  /** Name without its parameters. */
  name: string
  passed: boolean
  /** Why it failed, with the counterexample if forge found one. */
  reason: string
  /** Calls made by an invariant's campaign; runs of a fuzzed test; 1 for a plain one. */
  calls: number
  kind: 'unit' | 'fuzz' | 'invariant'
}

interface ReportedTest {
  status: 'Success' | 'Failure' | 'Skipped'
  reason: string | null
  counterexample: unknown
  kind: { Unit?: unknown; Fuzz?: { runs: number }; Invariant?: { runs: number; calls: number } }
}

type Report = Record<string, { test_results: Record<string, ReportedTest> }>

/** Runs forge over the contracts and tests below `root` and returns its own report, test by test. */
export async function runForge(
  options: { root?: string; match?: string; environment?: Record<string, string> } = {},
): Promise<ForgeTest[]> {
  const root = options.root ?? repository
  const flags = [
    'test',
    '--json',
    '--offline',
    '--root',
    root,
    '--use',
    join(root, 'test/contracts/solc.mjs'),
  ]
  if (options.match) flags.push('--match-test', options.match)
  const program = locateFoundry('forge')
  if (program === undefined) throw new Error(`there is no forge for ${process.platform}-${process.arch}`)
  const child = spawn(program, flags, {
    cwd: root,
    env: {
      ...process.env,
      FOUNDRY_CONFIG: join(root, 'test/contracts/foundry.toml'),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('{"test/'))
  if (!line) throw new Error(`forge did not report:\n${stderr}\n${stdout.slice(0, 4000)}`)
  return Object.entries(JSON.parse(line) as Report).flatMap(([suite, { test_results }]) =>
    Object.entries(test_results).map(([signature, result]) => readTest(suite, signature, result)),
  )
}

function readTest(suite: string, signature: string, result: ReportedTest): ForgeTest {
  const { kind, counterexample } = result
  return {
    contract: suite.replace(/^test\/contracts\//, ''),
    name: signature.replace(/\(.*$/, ''),
    passed: result.status === 'Success',
    reason: [result.reason, counterexample ? JSON.stringify(counterexample, undefined, 2) : ''].join('\n'),
    calls: kind.Invariant?.calls ?? kind.Fuzz?.runs ?? 1,
    kind: kind.Invariant ? 'invariant' : kind.Fuzz ? 'fuzz' : 'unit',
  }
}
