import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { programTags } from './support/programs.ts'
import { SkippedTests } from './support/skipped.ts'

/** Tests that take minutes, or find more the longer they run; `--mode long` runs only these. */
const long = 'test/**/*.long.test.ts'

/** These need Patroni, etcd and HAProxy from Debian's packages; `--mode failover` runs only these, one after the other. */
const failover = 'test/**/*.failover.test.ts'

/** These run in their own process, because they change modules: the stock adapter changes schemas, mocks replace Node's. */
const alone = ['test/http/adapter/parity.long.test.ts', 'test/embedded/ports.test.ts']

/** Runs the longest files first, so that no worker is still running one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => Number(/\/test\/(faults|contracts)\//.test(moduleId))
    return (await super.sort(files)).sort((one, other) => isFirst(other) - isFirst(one))
  }
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long'
  const isFailover = mode === 'failover'
  const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'))
  const isOrdinary = !isLong && !isFailover
  const project = {
    root: join(import.meta.dirname, '..'),
    setupFiles: ['test/support/evidence/record.ts', ...(isOrdinary ? ['test/support/fixed-seed.ts'] : [])],
    pool: 'forks' as const,
    // Less of what a request leaves is copied twice.
    execArgv: ['--max-semi-space-size=64'],
    runner: 'test/support/leaks/runner.ts',
    // The examples import the package by its name; it is built only to be published.
    alias: [
      {
        find: /^@bounty-marketplace\/sdk((?:\/[\w-]+)*)$/,
        replacement: join(import.meta.dirname, '../sdk/src$1/index.ts'),
      },
    ],
    // Ends tests that hang. No test asserts a duration, and a busy machine is slow.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // A test that passes only sometimes proves nothing.
    retry: 0,
    expect: { requireAssertions: false },
    tags: programTags(),
  }
  return {
    root: project.root,
    test: {
      reporters: ['default', 'json', new SkippedTests()],
      outputFile: { json: '.cache/tests.json' },
      globalSetup: ['test/support/global-setup.ts'],
      sequence: isShuffled ? {} : { sequencer: LongestFirst },
      // Two cores can run four workers: tests of processes and chains mostly wait.
      maxWorkers: isFailover ? 1 : Math.max(4, availableParallelism() >> 1),
      projects: [
        {
          test: {
            ...project,
            name: 'tests',
            include: [isFailover ? failover : isLong ? long : 'test/**/*.test.ts'],
            exclude: [...configDefaults.exclude, ...alone, ...(isOrdinary ? [long, failover] : [])],
            // A process loads the service once for all its files; each file has its own database, contracts and ports.
            isolate: false,
          },
        },
        {
          test: {
            ...project,
            name: 'alone',
            include: isFailover ? [] : alone.filter((file) => file.includes('.long.') === isLong),
          },
        },
      ],
    },
  }
})
