import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/service.ts'

const folder = join(root, 'server/ops/cluster')
const read = (name: string) => readFile(join(folder, name), 'utf8')

describe('the files of a machine of the cluster', () => {
  test('the Dockerfile has nothing its linter objects to, and copies files that exist', async () => {
    const dockerfile = await read('Dockerfile')
    expect(validate(dockerfile)).toEqual([])
    const copied = [...dockerfile.matchAll(/server\/ops\/cluster\/([\w.-]+)(?= .*\/)/g)].map(
      ([, name]) => name,
    )
    expect(copied).toContain('patroni.yaml')
    expect(await readdir(folder)).toEqual(expect.arrayContaining(copied))
  })

  test('the compose file follows its schema and has nothing its linter objects to', () => {
    const args = [join(folder, 'compose.yaml'), '--max-warnings', '0']
    const { status, stdout, stderr } = spawnSync('node_modules/.bin/dclint', args, {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ status, stdout: stdout.trim(), stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('every service has a memory limit', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true })
    for (const [name, { mem_limit }] of Object.entries<{ mem_limit?: string }>(services))
      expect(mem_limit, name).toMatch(/^\d+[mg]$/)
  })

  test('the compose file sets every variable that HAProxy reads', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true })
    const used = [...(await read('haproxy.cfg')).matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name)
    expect(Object.keys(services.haproxy.environment).sort()).toEqual([...new Set(used)].sort())
  })

  test('the exporter finds its metrics where the Dockerfile puts them, and its address has no password', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true })
    const { command, environment } = services.exporter
    const [, path] = /--extend\.query-path=(\S+)/.exec(command.join(' ')) ?? []
    expect(await read('Dockerfile')).toContain(`COPY server/ops/cluster/archive-metrics.yaml ${path}\n`)
    expect(environment.DATA_SOURCE_NAME).not.toMatch(/PASSWORD|exporter:/)
    expect(command.join(' ')).not.toContain('PASSWORD')
  })

  test('git and the build of the images ignore the file with the passwords', { tags: 'git' }, async () => {
    const repository = await mkdtemp(join(tmpdir(), 'bounty-marketplace-ignored-'))
    onTestFinished(() => rm(repository, { recursive: true, force: true }))
    await cp(join(root, '.gitignore'), join(repository, '.gitignore'))
    execFileSync('git', ['init', '--quiet'], { cwd: repository })
    const files = ['server/ops/cluster/.env', 'server/ops/cluster/.env.old', 'server/ops/container/.env']
    const ignored = execFileSync('git', ['check-ignore', ...files], { cwd: repository, encoding: 'utf8' })
    expect(ignored.trim().split('\n')).toEqual(files)
    // The last rule that fits decides, and `!server` fits all of these.
    const rules = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
    const lastIncluded = rules.findLastIndex((rule) => rule.startsWith('!'))
    expect(rules.slice(lastIncluded)).toEqual(expect.arrayContaining(['**/.env', '**/.env.*']))
  })

  test('Patroni speaks version 2 of the API, and etcd offers it', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true })
    expect(services.etcd.command).toContain('--enable-v2')
    expect(Object.keys(services.node.environment)).toContain('PATRONI_ETCD_HOSTS')
    expect(Object.keys(services.node.environment).filter((name) => /ETCD3/.test(name))).toEqual([])
  })

  test('every commit waits for a standby', async () => {
    const { bootstrap } = parse(await read('patroni.yaml'))
    expect(bootstrap.dcs).toMatchObject({
      synchronous_mode: true,
      primary_start_timeout: 0,
      failsafe_mode: true,
    })
    expect(bootstrap.dcs.postgresql.parameters).not.toHaveProperty('synchronous_commit')
  })
})
