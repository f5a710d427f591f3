/*
 * A thread that hashes API keys and verifies them, one after the other; see hashing-threads.ts. Plain JavaScript,
 * because neither tsx nor vitest reaches into threads; the build copies it as it is.
 */
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/*
 * How far this thread stands back behind the event loop and whatever else runs. By the kernel's weights ten steps leave it
 * a tenth of a core that others want all the time, five a quarter. A hash then took 0.15 to 0.3 s, so that a key's first
 * use still gets through; at 15 it took 0.3 to 0.4 s, at 19 half a second and at worst a whole one.
 */
const steps = 10
const lowest = 19

// On Linux this is about the calling thread alone; elsewhere it would be about the process.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + steps, lowest))
  } catch {
    // A sandbox may forbid it. Keys are hashed all the same.
  }
}

parentPort.on('message', ({ text, stored }) => {
  try {
    parentPort.postMessage({ result: stored === undefined ? hashSync(text) : verifySync(stored, text) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
