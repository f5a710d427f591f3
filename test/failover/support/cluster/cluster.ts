import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { choosePort } from '../../../../server/embedded/ports.ts'
import { query } from './client.ts'
import { type EtcdMember, startEtcd } from './etcd.ts'
import { type HAProxy, startHAProxy } from './haproxy.ts'
import { createLink } from './link.ts'
import { type ClusterNode, createNode, type Passwords } from './node.ts'
import { killAll, killWithUs } from './processes.ts'
import { runShipped, shipped } from './shipped.ts'
import { untilTrue } from './wait.ts'

/** How a cluster differs from the shipped settings. */
export interface ClusterOptions {
  /** Whether a commit waits for a standby. */
  synchronous: boolean
  /** How many members etcd has: 1 unless told. */
  etcdMembers?: 1 | 3
  /** Patroni's settings in etcd, by name; `loop_wait` and `retry_timeout` are short unless told. */
  patroni?: Record<string, unknown>
  /** Settings of Postgres by name. */
  postgres?: Record<string, string | number>
  /** Folder for the write-ahead log and base backups (`createArchive()`); without it nothing is archived. */
  archive?: string
  /** Starts from a base backup in the archive, with the passwords of the cluster that wrote it. */
  restore?: { backup: string; passwords: Passwords; until?: string; timeline?: number }
}

/** Three nodes of Postgres under Patroni, etcd, and HAProxy in front of them and of two servers. */
export interface Cluster {
  nodes: ClusterNode[]
  etcd: EtcdMember[]
  haproxy: HAProxy
  /** The leader's maintenance database as superuser, through HAProxy. */
  primaryUrl: string
  /** A standby's maintenance database as superuser, through HAProxy. */
  replicaUrl: string
  /** Address where HAProxy balances over the two servers. */
  serviceUrl: string
  /** Ports of 127.0.0.1 where HAProxy expects the two servers. Nothing listens there unless a test starts it. */
  serverPorts: [number, number]
  passwords: Passwords
  /** Writes a base backup into a folder of the archive and resolves with the folder. */
  backup(): Promise<string>
  /** The node that Patroni says is the leader, if any. */
  leader(): Promise<ClusterNode | undefined>
  /** Resolves with the leader as soon as there is one, other than `former`. */
  untilLeader(former?: ClusterNode): Promise<ClusterNode>
  /** Lets another node become leader as an operator does it; resolves with the new leader. */
  switchover(to?: ClusterNode): Promise<ClusterNode>
  /**
   * Resolves as soon as there is a leader behind HAProxy and `standbys` nodes (2 unless told) stream from it on its
   * timeline, one of them as the synchronous one if the cluster is synchronous.
   */
  healthy(standbys?: number): Promise<void>
  /** Kills all processes and removes all files. */
  close(): Promise<void>
}

const names = ['node-1', 'node-2', 'node-3']

/** Starts a cluster with the shipped settings and resolves when it is healthy. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-cluster-'))
  // Postgres runs as another account if we are root. Passwords are in folders of its own.
  await chmod(folder, 0o755)
  const endWatch = killWithUs(folder)
  const parts: Closeable[] = []
  try {
    const cluster = await startParts(folder, options, parts)
    await cluster.healthy()
    const close = async () => {
      await removeAll(folder, parts)
      endWatch()
    }
    return { ...cluster, close }
  } catch (error) {
    await removeAll(folder, parts)
    endWatch()
    throw error
  }
}

interface Closeable {
  close(): Promise<void>
}

async function removeAll(folder: string, parts: Closeable[]): Promise<void> {
  await Promise.all(parts.splice(0).map((part) => part.close()))
  await killAll(folder)
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

async function startParts(
  folder: string,
  options: ClusterOptions,
  closeables: Closeable[],
): Promise<Omit<Cluster, 'close'>> {
  const choose = await portChooser()
  const members = Array.from({ length: options.etcdMembers ?? 1 }, () => ({
    client: choose(),
    peer: choose(),
  }))
  const etcd = await startEtcd(folder, members)
  const configuration = await adaptConfiguration(options)
  const passwords = options.restore?.passwords ?? createPasswords()
  const archive = options.archive
  const nodes = await Promise.all(
    names.map(async (name) => {
      const own = await Promise.all(members.map(({ client }) => createLink(client)))
      closeables.push(...own)
      const ports = { postgres: choose(), patroni: choose() }
      return createNode({ parent: folder, name, configuration, ports, etcd: own, passwords, archive })
    }),
  )
  const serverPorts: [number, number] = [choose(), choose()]
  const ports = { leader: choose(), replicas: choose(), service: choose(), statistics: choose() }
  const haproxy = await startHAProxy(folder, {
    ...ports,
    nodes: nodes.map(({ postgresPort, patroniPort }) => ({ postgres: postgresPort, patroni: patroniPort })),
    servers: serverPorts,
  })
  closeables.push(haproxy)
  await startNodes(nodes, options)
  const url = (port: number) => `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`
  const parts = { nodes, primaryUrl: url(ports.leader), replicaUrl: url(ports.replicas) }
  return {
    ...parts,
    etcd,
    haproxy,
    serviceUrl: `http://127.0.0.1:${ports.service}`,
    serverPorts,
    passwords,
    backup: () => takeBackup(options, { port: ports.replicas, passwords }),
    ...operations(parts, options.synchronous),
  }
}

/** A restored cluster starts with the node that has the data; the others copy it. */
async function startNodes(nodes: ClusterNode[], { archive, restore }: ClusterOptions): Promise<void> {
  const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]]
  if (restore) {
    const { backup, until, timeline } = restore
    const args = [backup, join(first.folder, 'data'), until ?? '', ...(timeline ? [String(timeline)] : [])]
    await runShipped('restore-backup', args, { folder: first.folder, environment: { ARCHIVE: `${archive}` } })
    await first.restart()
    await untilTrue('the restored node leads', () => first.isPrimary())
    await Promise.all(others.map((node) => node.restart()))
  } else await Promise.all(nodes.map((node) => node.restart()))
}

async function takeBackup(
  { archive }: ClusterOptions,
  { port, passwords }: { port: number; passwords: Passwords },
): Promise<string> {
  const target = join(archive as string, `backup-${randomBytes(4).toString('hex')}`)
  const environment = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'replicator',
    PGPASSWORD: passwords.replication,
  }
  await runShipped('backup', [target], { folder: archive as string, environment })
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
    synchronous_mode: options.synchronous,
    ...options.patroni,
  })
  Object.assign(dcs.postgresql.parameters, {
    fsync: 'off',
    shared_buffers: '64MB',
    wal_keep_size: '512MB',
    log_line_prefix: '%m [%p] %a ',
    ...(options.archive
      ? { archive_command: `${join(shipped, 'archive-wal')} %p %f` }
      : { archive_mode: 'off' }),
    ...options.postgres,
  })
  return stringify(settings)
}

function createPasswords(): Passwords {
  const [superuser, replication, rewind, restApi] = Array.from({ length: 4 }, () =>
    randomBytes(12).toString('hex'),
  )
  return { superuser, replication, rewind, restApi } as Passwords
}

function operations(
  { nodes, primaryUrl }: Pick<Cluster, 'nodes' | 'primaryUrl'>,
  synchronous: boolean,
): Pick<Cluster, 'leader' | 'untilLeader' | 'switchover' | 'healthy'> {
  const leader = async () => {
    const answers = await Promise.all(nodes.map(async (node) => ((await node.isPrimary()) ? [node] : [])))
    return answers.flat()[0]
  }
  const untilLeader = async (former?: ClusterNode) => {
    let found: ClusterNode | undefined
    await untilTrue('another node leads', async () => {
      found = await leader()
      return found !== undefined && found !== former
    })
    return found as ClusterNode
  }
  return {
    leader,
    untilLeader,
    async switchover(to) {
      const former = await untilLeader()
      const body = { leader: former.name, ...(to && { candidate: to.name }) }
      const { status, text } = await former.request('POST', '/switchover', body)
      if (status !== 200) throw new Error(`Patroni refused the switchover: ${text}`)
      return untilLeader(former)
    },
    healthy: (standbys = nodes.length - 1) =>
      untilTrue('all standbys follow the leader', () =>
        isHealthy(nodes, primaryUrl, { standbys, synchronous }),
      ),
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
