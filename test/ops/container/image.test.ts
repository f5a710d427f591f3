import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/service.ts'

const dockerfile = join(root, 'server/ops/container/Dockerfile')
const compose = join(root, 'server/ops/container/compose.yaml')

describe('the files', () => {
  test('the Dockerfile has nothing its linter objects to', async () => {
    expect(validate(await readFile(dockerfile, 'utf8'))).toEqual([])
  })

  test.each(['127.0.0.2', '0.0.0.0'])('the health check finds a server that listens on %s', async (host) => {
    const check = /^HEALTHCHECK (?:.*\\\n)*\s*CMD (\[.*\])$/m.exec(await readFile(dockerfile, 'utf8'))
    const [program, ...args] = JSON.parse(check?.[1] as string)
    let status = 200
    const server = createServer(({ url }, response) =>
      response.writeHead(url === '/healthz' ? status : 404).end(),
    )
    server.listen(0, host)
    await once(server, 'listening')
    const env = { PATH: process.env.PATH, HOST: host, PORT: String((server.address() as AddressInfo).port) }
    const exitCode = async () => (await once(spawn(program, args, { env, stdio: 'ignore' }), 'exit'))[0]
    expect(await exitCode()).toBe(0)
    status = 503
    expect(await exitCode()).toBe(1)
    server.close()
    await once(server, 'close')
    expect(await exitCode()).toBe(1)
  })

  test('the compose file follows its schema and has nothing its linter objects to', () => {
    const { status, stdout, stderr } = spawnSync(
      'node_modules/.bin/dclint',
      [compose, '--max-warnings', '0', '--disable-rule', 'require-quotes-in-ports'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    expect({ status, stdout: stdout.trim(), stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('every service has a memory limit', async () => {
    const { services } = parse(await readFile(compose, 'utf8'), { merge: true })
    const limits = Object.entries<{ mem_limit?: string }>(services).map(([name, { mem_limit }]) => [
      name,
      mem_limit,
    ])
    expect(limits).toEqual(limits.map(([name]) => [name, expect.stringMatching(/^\d+[mg]$/)]))
    expect(limits.map(([name]) => name)).toEqual(['balancer', 'database', 'server', 'setup'])
  })

  test('the balancer names every server that the compose file starts, and asks each whether it is alive', async () => {
    const { name, services } = parse(await readFile(compose, 'utf8'))
    const servers = Array.from(
      { length: services.server.deploy.replicas },
      (_, i) => `${name}-server-${i + 1}:3000`,
    )
    const caddyfile = await readFile(join(root, 'server/ops/container/Caddyfile'), 'utf8')
    expect(caddyfile.match(/^\s*to (.*)$/m)?.[1]?.split(' ')).toEqual(servers)
    expect(caddyfile).toMatch(/^\s*health_uri \/healthz$/m)
  })

  test('every secret the servers are given is a file that the compose file declares', async () => {
    const { services, secrets, 'x-server': common } = parse(await readFile(compose, 'utf8'))
    const used = [...common.secrets, ...services.database.secrets]
    expect(used.sort()).toEqual(Object.keys(secrets).sort())
    const files = Object.entries(common.environment).filter(([name]) => name.endsWith('_FILE'))
    expect(files.map(([, path]) => path).sort()).toEqual(
      common.secrets.map((name: string) => `/run/secrets/${name}`),
    )
  })
})
