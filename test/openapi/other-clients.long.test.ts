/** @module-tag python */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMarketWithoutGit } from '../examples/support.ts'

const run = promisify(execFile)
test('Python drives the lifecycle from the document alone', async () => {
  const market = await createMarketWithoutGit()
  const program = fileURLToPath(new URL('clients/lifecycle.py', import.meta.url))
  const { stdout } = await run('python3', [program, market.baseUrl])
  expect(stdout).toMatch(/^paid in 0x[0-9a-f]{64}$/m)
  await market.close()
})
