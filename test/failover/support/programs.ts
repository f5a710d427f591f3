import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { choosePort } from '../../../server/embedded/ports.ts'
import { until } from '../../support/until.ts'
import { shipped } from './kit.ts'
import type { ClusterNode } from './node.ts'
import { killAll, metricsAt, ownFolder, startProgram } from './processes.ts'

export type EtcdMember = Awaited<ReturnType<typeof startEtcd>>[number]

/** Starts members of etcd that know each other. The data is below `parent`. */
export async function startEtcd(parent: string, members: { client: number; peer: number }[]) {
  const cluster = members.map(({ peer }, index) => `etcd-${index + 1}=http://127.0.0.1:${peer}`).join(',')
  return Promise.all(
    members.map(async ({ client, peer }, index) => {
      const name = `etcd-${index + 1}`
      const folder = await ownFolder(parent, name)
      const url = `http://127.0.0.1:${client}`
      const peerUrl = `http://127.0.0.1:${peer}`
      const settings = {
        name,
        'data-dir': join(folder, 'data'),
        'listen-client-urls': url,
        'advertise-client-urls': url,
        'listen-peer-urls': peerUrl,
        'initial-advertise-peer-urls': peerUrl,
        'initial-cluster': cluster,
        'initial-cluster-token': 'bounty',
        // A busy machine must not look like one that is gone.
        'heartbeat-interval': '200',
        'election-timeout': '2000',
        // Patroni 3.0 uses this version of the API (see patroni.yaml).
        'enable-v2': 'true',
      }
      const options = Object.entries(settings).map(([key, value]) => `--${key}=${value}`)
      const restart = async () => {
        await startProgram(folder, ['/usr/bin/etcd', ...options])
        await until(async () => (await fetch(`${url}/health`)).ok)
      }
      await restart()
      return {
        /** Kills it: its machine is gone. */
        kill: () => killAll(folder),
        /** Starts it again with its data. */
        restart,
        metrics: metricsAt(client),
      }
    }),
  )
}

/** The ports of HAProxy itself and of the programs behind it, all on this machine. */
interface HAProxyPorts {
  leader: number
  service: number
  statistics: number
  nodes: { postgresPort: number; patroniPort: number }[]
  servers: number[]
}

/** Starts HAProxy with the shipped settings below `parent`; resolves with what reads its metrics. */
export async function startHAProxy(parent: string, { nodes, servers, ...ports }: HAProxyPorts) {
  const folder = await ownFolder(parent, 'haproxy')
  const local = (port: number) => `127.0.0.1:${port}`
  const databases = nodes.flatMap(({ postgresPort, patroniPort }, index) => [
    [`NODE_${index + 1}`, local(postgresPort)],
    [`NODE_${index + 1}_PATRONI_ADDRESS`, '127.0.0.1'],
    [`NODE_${index + 1}_PATRONI_PORT`, String(patroniPort)],
  ])
  await startProgram(folder, ['/usr/sbin/haproxy', '-db', '-f', join(shipped, 'haproxy.cfg')], {
    LEADER_BIND: local(ports.leader),
    SERVICE_BIND: local(ports.service),
    STATISTICS_BIND: local(ports.statistics),
    ...Object.fromEntries(databases),
    ...Object.fromEntries(servers.map((port, index) => [`SERVER_${index + 1}`, local(port)])),
  })
  const metrics = metricsAt(ports.statistics)
  await until(async () => (await metrics()).length > 0)
  return metrics
}

/** Starts a node's exporter as the Compose file does. It ends with the cluster. */
export async function startExporter(node: ClusterNode, password: string) {
  const folder = await ownFolder(dirname(node.folder), `exporter-of-${node.name}`)
  const { services } = parse(await readFile(join(shipped, 'compose.yaml'), 'utf8'), { merge: true })
  const port = await choosePort()
  const adapt = (text: string) =>
    text
      .replace(/\$\{ADDRESS}:9187/, `127.0.0.1:${port}`)
      .replace(/\$\{ADDRESS}:5432/, `127.0.0.1:${node.postgresPort}`)
      .replace(/\$\{EXPORTER_PASSWORD.*}/, () => password)
      .replace('/etc/exporter', shipped)
  const variables = Object.entries<string>(services.exporter.environment)
  const environment = Object.fromEntries(variables.map(([key, value]) => [key, adapt(value)]))
  const [program, ...args] = (services.exporter.command as string[]).map(adapt)
  await startProgram(folder, [`/usr/bin/${program}`, ...args], environment)
  const metrics = metricsAt(port)
  await until(async () => (await metrics()).length > 0)
  return { metrics }
}
