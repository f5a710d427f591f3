import { afterAll } from 'vitest'
// Loaded once a process; this file runs once a test file.
import './watch.ts'
import { flushEvidence } from './write.ts'

afterAll(flushEvidence)
