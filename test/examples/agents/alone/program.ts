import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bundled } from '../../../support/bundle.ts'
import { root } from '../../support.ts'

/** A program of examples/agents that is left alone: it is started again after each kill by the test, and never else. */
export interface Program {
  kills: number
  /** What it printed in all its lives. */
  output: string
  kill(): void
  /** With what it is started from the next time on. */
  args: string[]
  /** Resolves once it has ended by itself without an error. @throws Error with its output, if it has ended otherwise */
  ended: Promise<void>
}

export async function startProgram(
  name: 'founder' | 'contributor',
  args: string[],
  { temporary, token }: { temporary: string; token: string },
): Promise<Program> {
  const file = await bundled(join(root, 'examples/agents', `${name}.ts`))
  const program: Program = { kills: 0, output: '', args, kill, ended: Promise.resolve() }
  const start = () =>
    spawn(process.execPath, [file, ...program.args], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary, BOUNTY_MARKETPLACE_API_KEY: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let child = start()
  let isKilled = false
  let isOver = false

  function kill(): void {
    if (isKilled) return
    isKilled = true
    program.kills++
    child.kill('SIGKILL')
  }

  async function live(): Promise<void> {
    for (;;) {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          program.output += chunk
        })
      const [code, signal] = await once(child, 'close')
      if (isOver || code === 0) return
      if (!isKilled || signal !== 'SIGKILL')
        throw new Error(`${name} ended with ${code ?? signal}:\n${program.output.slice(-20_000)}`)
      isKilled = false
      child = start()
    }
  }

  program.ended = live()
  program.ended.catch(() => undefined)
  onTestFinished(async () => {
    isOver = true
    child.kill('SIGKILL')
    await program.ended.catch(() => undefined)
  })
  return program
}
