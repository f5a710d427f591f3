import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { changeOwner, chooseAccount } from '../../../server/embedded/postgres/account.ts'
import { until } from '../../support/until.ts'
import { killAll, startProgram } from './processes.ts'

/** A member of etcd. */
export interface EtcdMember {
  /** Kills it: its machine is gone. */
  kill(): Promise<void>
  /** Starts it again with its data. */
  restart(): Promise<void>
  /** Its metrics in Prometheus' text format. */
  metrics(): Promise<string>
}

/** Starts members that know each other. The data is below `folder`. */
export async function startEtcd(
  folder: string,
  members: { client: number; peer: number }[],
): Promise<EtcdMember[]> {
  const cluster = members.map(({ peer }, index) => `etcd-${index + 1}=http://127.0.0.1:${peer}`).join(',')
  const started = await Promise.all(
    members.map((ports, index) => createMember(folder, `etcd-${index + 1}`, { ...ports, cluster })),
  )
  await Promise.all(started.map((member) => member.restart()))
  return started
}

async function createMember(
  parent: string,
  name: string,
  { client, peer, cluster }: { client: number; peer: number; cluster: string },
): Promise<EtcdMember> {
  const folder = join(parent, name)
  await mkdir(folder)
  await changeOwner(folder, await chooseAccount(folder))
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
  const command = ['/usr/bin/etcd', ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`)]
  return {
    kill: () => killAll(folder),
    async restart() {
      await startProgram(command, { folder, log: join(folder, 'etcd.log') })
      await until(async () => (await fetch(`${url}/health`)).ok)
    },
    metrics: async () => (await fetch(`${url}/metrics`)).text(),
  }
}
