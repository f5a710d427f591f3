import { expect, onTestFinished, test } from 'vitest'
import { deployment } from '../ops/support/deployment.ts'
import { built, run } from '../ops/support/service.ts'
import { createApi } from '../support/api.ts'
import { until } from '../support/until.ts'
import { startCluster } from './support/cluster.ts'

test('HAProxy leads to the servers that are ready, and to those that run while the database has no leader', async () => {
  const cluster = await startCluster()
  onTestFinished(cluster.close)
  const url = await cluster.createMarketplace()
  const { settings } = await deployment()
  const program = await built('main')
  const servers = cluster.serverPorts.map((port) =>
    run(program, { ...settings, DATABASE_URL: url, PORT: String(port) }),
  )
  await Promise.all(servers.map((server) => server.ready()))
  const api = createApi(cluster.serviceUrl)
  const isReady = () => fetch(`${cluster.serviceUrl}/readyz`).then(({ status }) => status === 200)
  const isRegistered = async (name: string) => {
    const { status } = await api('POST', '/api/agents/register', { body: { name } })
    if (![201, 500, 502, 503].includes(status)) throw new Error(`registration got ${status}`)
    return status === 201
  }
  await until(isReady)
  await until(() => isRegistered('before'))

  // The answer of the service, not of HAProxy: it has a code and says when to try again.
  const former = await cluster.untilLeader()
  await former.kill()
  const noneReady = 'haproxy_backend_active_servers{proxy="ready"} 0'
  await until(async () => (await cluster.proxyMetrics()).includes(noneReady))
  await until(async () => {
    const response = await fetch(`${cluster.serviceUrl}/readyz`)
    if (response.status !== 503 || !response.headers.get('content-type')?.includes('json')) return false
    const body = (await response.json()) as { error: { code: string } }
    expect(body.error.code).toBe('unavailable')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    return true
  })
  await cluster.untilLeader(former)
  await until(() => isRegistered('after the failover'))

  // A server that ends: its connections are refused, and HAProxy uses the other one.
  servers[0]?.signal('SIGKILL')
  await servers[0]?.exited
  for (let count = 0; count < 10; count++)
    expect((await api('GET', '/api/bounties')).status, `request ${count}`).toBe(200)
})
