import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { changeOwner, chooseAccount } from '../../../server/embedded/postgres/account.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { until } from '../../support/until.ts'
import { query, runAs, shipped } from './kit.ts'
import { createLink, type Link } from './link.ts'
import { type ClusterNode, createNode, type Passwords } from './node.ts'
import { killAll, killWithUs } from './processes.ts'
import { startEtcd, startHAProxy } from './programs.ts'

/** How a cluster differs from the shipped settings. */
export interface ClusterOptions {
  /** Whether a commit waits for a standby: it does unless told. */
  synchronous?: boolean
  /** How many members etcd has: 1 unless told. */
  etcdMembers?: 1 | 3
  /** Patroni's settings in etcd by name. */
  patroni?: Record<string, unknown>
  /** Folder for the write-ahead log and base backups (`createArchive()`); without it nothing is archived. */
  archive?: string
  /** Starts from a base backup in the archive, with the passwords of the cluster that wrote it. */
  restore?: { backup: string; passwords: Passwords; until?: string }
}

/** Three nodes of Postgres under Patroni, etcd, and HAProxy in front of them and of two servers. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

const names = ['node-1', 'node-2', 'node-3']

/** Starts a cluster with the shipped settings and resolves when it is healthy. */
export async function startCluster(options: ClusterOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-cluster-'))
  // Postgres runs as another account if we are root. Passwords are in folders of its own.
  await chmod(folder, 0o755)
  const endWatch = killWithUs(folder)
  const links: Link[] = []
  /** Kills all processes and removes all files. */
  const close = async () => {
    await Promise.all(links.splice(0).map((link) => link.close()))
    await killAll(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    endWatch()
  }
  try {
    const cluster = await startParts(folder, options, links)
    await cluster.healthy()
    return { ...cluster, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startParts(folder: string, options: ClusterOptions, links: Link[]) {
  const choose = await portChooser()
  const members = Array.from({ length: options.etcdMembers ?? 1 }, () => ({
    client: choose(),
    peer: choose(),
  }))
  const etcd = await startEtcd(folder, members)
  const configuration = await adaptConfiguration(options)
  const passwords = options.restore?.passwords ?? createPasswords()
  const nodes = await Promise.all(
    names.map(async (name) => {
      const own = await Promise.all(members.map(({ client }) => createLink(client)))
      links.push(...own)
      const ports = { postgres: choose(), patroni: choose() }
      return createNode({ parent: folder, name, configuration, ports, etcd: own, passwords })
    }),
  )
  const serverPorts: [number, number] = [choose(), choose()]
  const ports = { leader: choose(), service: choose(), statistics: choose() }
  const proxyMetrics = await startHAProxy(folder, { ...ports, nodes, servers: serverPorts })
  await startNodes(nodes, options)
  const primaryUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${ports.leader}/postgres`
  return {
    nodes,
    etcd,
    /** The state of HAProxy's servers in Prometheus' text format. */
    proxyMetrics,
    /** The maintenance database of the leader as superuser, through HAProxy. */
    primaryUrl,
    /** Address where HAProxy balances over the two servers. */
    serviceUrl: `http://127.0.0.1:${ports.service}`,
    /** Ports of 127.0.0.1 where HAProxy expects the two servers. Nothing listens there unless a test starts it. */
    serverPorts,
    passwords,
    /** Creates the service's database with its schema; resolves with its address through HAProxy. */
    async createMarketplace() {
      await query(primaryUrl, 'create database marketplace')
      const address = databaseUrl(primaryUrl, 'marketplace')
      const db = createDatabase(createPool(address, { size: 2 }))
      await migrate(db)
      await db.destroy()
      return address
    },
    /** Writes a base backup into a folder of the archive and resolves with the folder. */
    backup: () => takeBackup(options, { port: (nodes[2] as ClusterNode).postgresPort, passwords }),
    ...operations(nodes, primaryUrl, options.synchronous ?? true),
  }
}

/** A restored cluster starts with the node that has the data; the others copy it. */
async function startNodes(nodes: ClusterNode[], { restore }: ClusterOptions): Promise<void> {
  const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]]
  if (restore) {
    const { backup, until: moment = '' } = restore
    await runAs(first.folder, [join(shipped, 'restore-backup'), backup, join(first.folder, 'data'), moment])
    await first.restart()
    await until(() => first.isPrimary())
    await Promise.all(others.map((node) => node.restart()))
  } else await Promise.all(nodes.map((node) => node.restart()))
}

/** Makes an empty archive that belongs to the nodes' account. */
export async function createArchive(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bounty-marketplace-archive-'))
  await changeOwner(path, await chooseAccount(path))
  return path
}

/** Takes a base backup as the manual says. */
async function takeBackup(
  { archive = '' }: ClusterOptions,
  { port, passwords }: { port: number; passwords: Passwords },
): Promise<string> {
  const target = join(archive, `backup-${randomBytes(4).toString('hex')}`)
  const how = ['--format=tar', '--gzip', '--wal-method=fetch', '--checkpoint=fast']
  const where = ['--host=127.0.0.1', `--port=${port}`, '--username=replicator']
  const command = ['/usr/bin/pg_basebackup', `--pgdata=${target}`, ...how, ...where]
  await runAs(archive, command, { PGPASSWORD: passwords.replication })
  return target
}

/** Ports that are free now and differ from each other. */
async function portChooser(): Promise<() => number> {
  const ports = new Set<number>()
  while (ports.size < 24) ports.add(await choosePort())
  const left = [...ports]
  return () => left.pop() as number
}

/** The shipped settings with what tests change: shorter waits, and no protection against a power failure. */
async function adaptConfiguration(options: ClusterOptions): Promise<string> {
  const settings = parse(await readFile(join(shipped, 'patroni.yaml'), 'utf8'))
  const { dcs } = settings.bootstrap
  Object.assign(dcs, {
    loop_wait: 1,
    retry_timeout: 3,
    synchronous_mode: options.synchronous ?? true,
    ...options.patroni,
  })
  const { parameters } = dcs.postgresql
  Object.assign(parameters, {
    fsync: 'off',
    shared_buffers: '64MB',
    wal_keep_size: '512MB',
    ...(options.archive
      ? { archive_command: parameters.archive_command.replaceAll('/archive/', `${options.archive}/`) }
      : { archive_mode: 'off' }),
    // Where commits do not wait, a replication that stands still must not be noticed.
    ...(options.synchronous === false && { wal_sender_timeout: 0, wal_receiver_timeout: 0 }),
  })
  return stringify(settings)
}

function createPasswords(): Passwords {
  const [superuser, replication, rewind, restApi] = Array.from({ length: 4 }, () =>
    randomBytes(12).toString('hex'),
  )
  return { superuser, replication, rewind, restApi } as Passwords
}

function operations(nodes: ClusterNode[], primaryUrl: string, synchronous: boolean) {
  /** Resolves with the leader as soon as there is one, other than `former`. */
  const untilLeader = async (former?: ClusterNode) => {
    let found: ClusterNode | undefined
    await until(async () => {
      const leading = await Promise.all(nodes.map((node) => node.isPrimary()))
      found = nodes.find((node, index) => leading[index] && node !== former)
      return found !== undefined
    })
    return found as ClusterNode
  }
  return {
    untilLeader,
    /** Lets another node become leader as an operator does it; resolves with the new leader. */
    async switchover() {
      const former = await untilLeader()
      const { status, text } = await former.request('POST', '/switchover', { leader: former.name })
      if (status !== 200) throw new Error(`Patroni refused the switchover: ${text}`)
      return untilLeader(former)
    },
    /**
     * Resolves as soon as there is a leader behind HAProxy and `standbys` nodes (2 unless told) stream from it on its
     * timeline, one of them as the synchronous one if the cluster is synchronous.
     */
    healthy: (standbys = nodes.length - 1) =>
      until(() => isHealthy(nodes, primaryUrl, { standbys, synchronous })),
  }
}

async function isHealthy(
  nodes: ClusterNode[],
  primaryUrl: string,
  { standbys, synchronous }: { standbys: number; synchronous: boolean },
): Promise<boolean> {
  const states = await Promise.all(nodes.map((node) => node.status().catch(() => undefined)))
  const running = states.filter((state) => state?.state === 'running')
  const leaders = running.filter((state) => state?.role === 'master' || state?.role === 'primary')
  if (leaders.length !== 1 || running.length !== standbys + 1) return false
  if (running.some((state) => state?.timeline !== leaders[0]?.timeline)) return false
  // Patroni sets the synchronous standby in Postgres first. Until it is in etcd, too, no other node can become leader.
  if (running.some((state) => state?.sync_standby) !== synchronous) return false
  const rows = await query(
    primaryUrl,
    `select sync_state from pg_stat_replication where state = 'streaming' and application_name like 'node-%'`,
  )
  return rows.length === standbys && rows.some(({ sync_state }) => sync_state === 'sync') === synchronous
}
