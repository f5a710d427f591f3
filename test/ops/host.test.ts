import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { choosePort } from '../../server/embedded/ports.ts'
import { temporaryDirectory } from '../embedded/support.ts'
import { createApi } from '../support/api.ts'
import { until } from '../support/until.ts'
import { deployment } from './support/deployment.ts'
import { startNginx } from './support/nginx.ts'
import { built, root, run } from './support/service.ts'

// The files for a machine with systemd and nginx.

const fileOf = (name: string) => readFile(join(root, 'server/ops/host', name), 'utf8')

/** Runs what the unit runs, as systemd does: with its variables, its secrets as files and these settings. */
async function startUnit(own: Record<string, string> = {}) {
  const unit = await fileOf('bounty-marketplace.service')
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value as string)
  const { settings } = await deployment()
  const credentials = await temporaryDirectory()
  for (const credential of values('LoadCredential')) {
    const [name = ''] = credential.split(':')
    await writeFile(join(credentials, name), settings[name.toUpperCase()] as string)
    delete settings[name.toUpperCase()]
  }
  const { EMBEDDED: _, ...others } = settings
  const lines = values('Environment').flatMap((line) => line.replaceAll('%d', credentials).split(' '))
  const environment = Object.fromEntries(lines.map((line) => line.split('=')))
  const command = values('ExecStart')[0]
  const seconds = values('TimeoutStopSec')[0]
  expect(command).toBe('/usr/bin/node dist/server/main.js')
  return {
    stopSeconds: Number(seconds),
    service: run(await built('main'), { ...environment, ...others, ...own }),
  }
}

test('the unit of systemd starts a server whose secrets are files, and gives it the time to stop', async () => {
  const { service, stopSeconds } = await startUnit()
  const api = createApi(await service.ready())
  expect((await api('POST', '/api/agents/register', { body: { name: 'A' } })).body.agent.wallet_type).toBe(
    'vendor_inapp',
  )
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(stopSeconds).toBeGreaterThan(30)
})

test('the site of nginx passes on who calls and what the service says', {
  tags: ['linux', 'nginx'],
}, async () => {
  const behind = await choosePort()
  const port = await choosePort()
  const { service } = await startUnit({ PORT: String(behind), PUBLIC_URL: 'http://market.example.org' })
  await service.ready()
  const nginx = await startNginx({ port, servers: [behind, await choosePort()] })

  async function send(options: RequestOptions, body = ''): Promise<{ status?: number; body: string }> {
    const sent = request({ host: '127.0.0.1', port, ...options }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await text(response) }
  }
  await until(async () => (await send({ path: '/healthz' }).catch(() => undefined))?.status === 200)

  const host = 'market.example.org'
  const headers = { host, 'x-forwarded-for': '192.0.2.7' }
  await send({ path: '/api/bounties', localAddress: '127.0.0.9', headers })
  const isLogged = (text: string) => text.includes('"/api/bounties"')
  await until(() => isLogged(service.output()))
  expect(JSON.parse(service.output().split('\n').find(isLogged) as string).ip).toBe('127.0.0.9')

  const json = { host, 'content-type': 'application/json' }
  // Not 403 `origin_refused`: the service sees the host that was asked for.
  expect((await send({ method: 'POST', path: '/mcp', headers: json }, '{}')).status).toBe(400)

  const [, patience] = /proxy_read_timeout (\d+)s/.exec(await fileOf('nginx.conf')) ?? []
  expect(Number(patience)).toBeGreaterThan(readConfig({}).APPROVE_WAIT_SECONDS)
  nginx.signal('SIGTERM')
  expect(await nginx.exited, nginx.output()).toBe(0)
})
