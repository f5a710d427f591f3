import { afterAll } from 'vitest'
import { closeAll } from '../leaks/closing.ts'
// Loaded once a process; this file runs once a test file.
import './watch.ts'
import { flushEvidence } from './write.ts'

afterAll(async () => {
  // What closes is evidence, too. It is the last hook of the file, because it is the first one.
  await closeAll().finally(flushEvidence)
})
