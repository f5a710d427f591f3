/*
 * The thread that hashes new API keys; see hashing-thread.ts. Plain JavaScript, because neither tsx nor vitest reaches
 * into threads; the build copies it as it is.
 */
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from '@node-rs/argon2'

/*
 * How far this thread stands back behind the event loop and whatever else runs: idle-time.ts looks at this process
 * alone. Beside two busy loops a core, a hash takes 80 ms (median; 360 at most) with five steps, 30 ms with none, and
 * 680 ms (2.8 s) with fifteen, with which reads beside a flood of registrations were no quicker.
 */
const steps = 5
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
