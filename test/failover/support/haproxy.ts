import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { changeOwner, chooseAccount } from '../../../server/embedded/postgres/account.ts'
import { until } from '../../support/until.ts'
import { shipped } from './kit.ts'
import { startProgram } from './processes.ts'

/** The ports of HAProxy itself and of the programs behind it, all on this machine. */
export interface HAProxyPorts {
  leader: number
  replicas: number
  service: number
  statistics: number
  nodes: { postgres: number; patroni: number }[]
  servers: number[]
}

/** Starts HAProxy with the shipped settings below `parent`; resolves with what reads its metrics. */
export async function startHAProxy(parent: string, ports: HAProxyPorts): Promise<() => Promise<string>> {
  const folder = join(parent, 'haproxy')
  await mkdir(folder)
  await changeOwner(folder, await chooseAccount(folder))
  const command = ['/usr/sbin/haproxy', '-db', '-f', join(shipped, 'haproxy.cfg')]
  await startProgram(command, { folder, log: join(folder, 'haproxy.log'), environment: environment(ports) })
  const metrics = async () => (await fetch(`http://127.0.0.1:${ports.statistics}/metrics`)).text()
  await until(async () => (await metrics()).length > 0)
  return metrics
}

function environment({ nodes, servers, ...ports }: HAProxyPorts): Record<string, string> {
  const local = (port: number) => `127.0.0.1:${port}`
  const databases = nodes.flatMap(({ postgres, patroni }, index) => [
    [`NODE_${index + 1}`, local(postgres)],
    [`NODE_${index + 1}_PATRONI_ADDRESS`, '127.0.0.1'],
    [`NODE_${index + 1}_PATRONI_PORT`, String(patroni)],
  ])
  return {
    LEADER_BIND: local(ports.leader),
    REPLICAS_BIND: local(ports.replicas),
    SERVICE_BIND: local(ports.service),
    STATISTICS_BIND: local(ports.statistics),
    ...Object.fromEntries(databases),
    ...Object.fromEntries(servers.map((port, index) => [`SERVER_${index + 1}`, local(port)])),
  }
}
