import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

describe('the archive that all nodes share', () => {
  /** Archives the contents one after the other under one name. */
  async function archive(name: string, contents: string[]) {
    const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-archive-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const own = await mkdtemp(join(tmpdir(), 'bounty-marketplace-node-'))
    onTestFinished(() => rm(own, { recursive: true, force: true }))
    const statuses: (number | null)[] = []
    for (const content of contents) {
      await writeFile(join(own, name), content)
      const env = { PATH: process.env.PATH, ARCHIVE: folder }
      const script = join(root, 'server/ops/cluster/archive-wal')
      statuses.push(spawnSync(script, [join(own, name), name], { env }).status)
    }
    const archived = await Promise.all(
      (await readdir(folder)).sort().map((file) => readFile(join(folder, file), 'utf8')),
    )
    return { statuses, archived }
  }

  test('two nodes archive a file once', async () => {
    const { statuses, archived } = await archive('000000020000000000000003', ['one', 'one'])
    expect({ statuses, archived }).toEqual({ statuses: [0, 0], archived: ['one'] })
  })

  test('a file that differs does not stop a node from archiving', async () => {
    const { statuses, archived } = await archive('000000020000000000000003.partial', ['one', 'two', 'two'])
    expect({ statuses, archived }).toEqual({ statuses: [0, 0, 0], archived: ['one', 'two'] })
  })

  test('a second timeline under the number of another one is refused', async () => {
    const { statuses, archived } = await archive('00000002.history', ['one', 'two'])
    expect({ statuses, archived }).toEqual({ statuses: [0, 1], archived: ['one'] })
  })
})
