/** @module-tag git */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepositories } from '../../server/code/host/repositories.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { run } from '../ops/support/service.ts'
import { until } from '../support/until.ts'
import { temporaryDirectory } from './support.ts'

test('npm run code-host serves repositories at the printed address and with the configured token, until SIGTERM', async () => {
  const DATA_DIR = await temporaryDirectory()
  const port = await choosePort()
  const settings = {
    DATA_DIR,
    EMBEDDED_GITHUB_PORT: String(port),
    GITHUB_ORGANIZATION: 'acme',
    GITHUB_TOKEN: 'ours',
  }
  const host = run(['npm', 'run', '--silent', 'code-host'], settings)
  await until(() => host.output().includes('GITHUB_TOKEN'))
  const apiUrl = /GITHUB_API_URL=(\S+)/.exec(host.output())?.[1] ?? ''
  expect(host.output()).toBe(
    `Code host  http://127.0.0.1:${port}/acme\n` +
      `For the service set GITHUB_API_URL=http://127.0.0.1:${port}/api/v3 and GITHUB_TOKEN to the same token as here\n`,
  )
  const repositories = createRepositories({
    apiUrl,
    organization: 'acme',
    auth: { token: 'ours' },
    log: console,
  })
  const { url } = await repositories.ensure({ id: 'proj_1', name: 'Rocket', description: 'Flies' })
  expect(url).toMatch(`http://127.0.0.1:${port}/acme/`)
  expect((await fetch(url)).status).toBe(200)
  expect(existsSync(join(DATA_DIR, 'github'))).toBe(true)
  host.signal('SIGTERM')
  await host.exited
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
