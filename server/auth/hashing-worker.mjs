/*
 * The thread that hashes new API keys; see hashing-thread.ts. Plain JavaScript, because neither tsx nor vitest reaches
 * into threads; the build copies it as it is.
 */
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from '@node-rs/argon2'

/*
 * How far this thread stands back behind the event loop and whatever else runs. By the kernel's weights fifteen steps
 * leave it a thirtieth of a core that others want all the time; a hash then took 0.3 to 0.4 s, and none longer than one.
 */
const steps = 15
const lowest = 19

// On Linux this is about the calling thread alone; elsewhere it would be about the process.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + steps, lowest))
  } catch {
    // A sandbox may forbid it. Keys are hashed all the same.
  }
}

parentPort.on('message', (text) => {
  try {
    parentPort.postMessage({ hash: hashSync(text) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
