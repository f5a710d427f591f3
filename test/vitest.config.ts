import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes, or says more the longer it runs; `--mode long` runs these alone. */
const long = 'test/**/*.long.test.ts'

/** They change modules for everybody in their process: the stock adapter the schemas, mocks what node brings along. */
const alone = ['test/http/adapter/parity.test.ts', 'test/embedded/ports.test.ts']

/** The longest files first, so that no worker is left alone with one at the end. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/test/faults/'))
    return (await super.sort(files)).sort((one, other) => isFirst(other) - isFirst(one))
  }
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long'
  const project = {
    root: join(import.meta.dirname, '..'),
    setupFiles: ['test/support/evidence/record.ts', ...(isLong ? [] : ['test/support/fixed-seed.ts'])],
    pool: 'forks' as const,
    // For what hangs. How long something takes is nobody's assertion, and a busy machine takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // A suite that needs luck proves nothing.
    retry: 0,
    expect: { requireAssertions: false },
  }
  return {
    root: project.root,
    test: {
      globalSetup: ['test/support/global-setup.ts'],
      sequence: { sequencer: FaultsFirst },
      // Two cores bear three workers: tests of processes and chains wait much of their time.
      maxWorkers: Math.max(3, availableParallelism() >> 1),
      projects: [
        {
          test: {
            ...project,
            name: 'tests',
            include: [isLong ? long : 'test/**/*.test.ts'],
            exclude: [...configDefaults.exclude, ...alone, ...(isLong ? [] : [long])],
            // A process loads the service once for all its files, each with a database, contracts and ports of its own.
            isolate: false,
          },
        },
        { test: { ...project, name: 'alone', include: isLong ? [] : alone } },
      ],
    },
  }
})
