import { defineConfig } from 'vitest/config'
import base from '../vitest.config.ts'

/** The suites that break things on purpose, with the ground the other tests stand on. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/faults/**/*.test.ts'], exclude: [] },
})
