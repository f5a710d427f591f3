import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from './kit.ts'
import type { Link } from './link.ts'
import {
  killAll,
  metricsAt,
  ownFolder,
  processesIn,
  resumeAll,
  signal,
  startProgram,
  stopAll,
} from './processes.ts'

/** Names and passwords of the roles that Patroni creates, and of its REST API. */
export interface Passwords {
  superuser: string
  replication: string
  rewind: string
  restApi: string
}

/** What Patroni's REST API says about its node. */
export interface NodeStatus {
  state: string
  role: 'master' | 'primary' | 'replica' | 'standby_leader' | 'uninitialized'
  timeline?: number
  sync_standby?: boolean
}

/** A machine with Patroni and Postgres. */
export type ClusterNode = Awaited<ReturnType<typeof createNode>>

/** Creates a node that does not run yet. `etcd`: its own links to the members. */
export async function createNode(options: {
  parent: string
  name: string
  configuration: string
  ports: { postgres: number; patroni: number }
  etcd: Link[]
  passwords: Passwords
}) {
  const { parent, name, ports, etcd, passwords } = options
  const folder = await ownFolder(parent, name)
  const configuration = join(folder, 'patroni.yaml')
  await writeFile(configuration, options.configuration)
  const base = `http://127.0.0.1:${ports.patroni}`
  const environment = variables(options, folder)
  const authorization = `Basic ${Buffer.from(`patroni:${passwords.restApi}`).toString('base64')}`
  const get = (path: string) => fetch(`${base}${path}`, { signal: AbortSignal.timeout(1000) })
  /** Reaches this node without HAProxy. */
  const url = `postgres://postgres:${passwords.superuser}@127.0.0.1:${ports.postgres}/postgres`
  return {
    name,
    /** With Patroni's `log` and Postgres' `data`. */
    folder,
    url,
    postgresPort: ports.postgres,
    patroniPort: ports.patroni,
    /** Kills Patroni and Postgres at once: the machine is gone. */
    kill: () => killAll(folder),
    /** Kills all processes of Postgres, and Patroni lives. */
    async killPostgres() {
      // Once only: Patroni may already start Postgres again.
      for (const pid of await processesIn(join(folder, 'data'))) signal(pid, 'SIGKILL')
    },
    /** Stops all processes: the machine is frozen, and its connections stay open. */
    pause: () => stopAll(folder),
    /** Like `pause()`, at a moment when Patroni has just read in etcd that it is the leader, and not yet acted on it. */
    async pauseAsLeader() {
      await Promise.race(etcd.map((link) => link.hold('GET /v2/keys/service/bounty/?')))
      await stopAll(folder)
      for (const link of etcd) link.release()
    },
    resume: () => resumeAll(folder),
    /** Etcd does not answer this node any more. */
    cutFromEtcd() {
      for (const link of etcd) link.cut()
    },
    reconnect() {
      for (const link of etcd) link.restore()
    },
    /** Starts Patroni again, which starts Postgres. */
    restart: () => startProgram(folder, ['/usr/bin/patroni', configuration], environment),
    /** Patroni's report; throws if Patroni does not answer within a second. */
    status: async () => (await (await get('/patroni')).json()) as NodeStatus,
    /** Whether Patroni says that this node is the leader. HAProxy asks the same. */
    isPrimary: async () => (await get('/primary').catch(() => undefined))?.status === 200,
    /** A request to Patroni's REST API with its password. */
    async request(method: string, path: string, body: object) {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    },
    /** Runs a statement as superuser on this node. */
    query: (statement: string) => query(url, statement),
    metrics: metricsAt(ports.patroni),
  }
}

/** What an operator sets for each machine. */
function variables(
  { name, ports, etcd, passwords }: Parameters<typeof createNode>[0],
  folder: string,
): Record<string, string> {
  return {
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${ports.patroni}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${ports.patroni}`,
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: passwords.restApi,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${ports.postgres}`,
    PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
    PATRONI_REWIND_USERNAME: 'rewind',
    PATRONI_REWIND_PASSWORD: passwords.rewind,
    PATRONI_ETCD_HOSTS: etcd.map(({ address }) => address).join(','),
    // Patroni would otherwise ask etcd for its members' own addresses, and go around the links.
    PATRONI_ETCD_USE_PROXIES: 'true',
  }
}
