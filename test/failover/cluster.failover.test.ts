import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './support/cluster/cluster.ts'
import type { ClusterNode } from './support/cluster/node.ts'
import { untilTrue } from './support/cluster/wait.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster({ synchronous: true })
  const client = await connect(cluster.primaryUrl)
  await client.query('create table written (id bigint primary key)')
  await client.end()
})
afterAll(() => cluster?.close())

/** Seconds that each step took, for people. */
function stopwatch(what: string): (step: string) => void {
  let last = performance.now()
  return (step) => {
    const now = performance.now()
    console.log(`${what}: ${step} after ${((now - last) / 1000).toFixed(1)} s`)
    last = now
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

let last = 0
/** Writes a row through HAProxy as soon as that works; resolves with its id when it is acknowledged. */
async function write(): Promise<number> {
  const id = ++last
  await untilTrue('a write is acknowledged', async () => {
    const client = await connect(cluster.primaryUrl)
    try {
      await client.query('insert into written values ($1) on conflict do nothing', [id])
      return true
    } finally {
      await client.end()
    }
  })
  return id
}

async function has(url: string, id: number): Promise<boolean> {
  const client = await connect(url)
  try {
    return (await client.query('select from written where id = $1', [id])).rowCount === 1
  } finally {
    await client.end()
  }
}

/** Everything that was acknowledged is on the leader, and every standby gets it. */
async function expectNothingLost(): Promise<void> {
  const client = await connect(cluster.primaryUrl)
  const { rows } = await client.query('select id from written order by id')
  await client.end()
  expect(rows.map(({ id }) => Number(id))).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  for (const node of cluster.nodes) await untilTrue(`${node.name} has every row`, () => has(node.url, last))
}

describe('a synchronous cluster', () => {
  test('gives the leader to a standby when the machine of the leader is gone, and takes it back as a standby', async () => {
    const step = stopwatch('machine of the leader killed')
    await write()
    const former = await cluster.untilLeader()
    await former.kill()
    const leader = await cluster.untilLeader(former)
    step(`${leader.name} leads`)
    await write()
    step('first write through HAProxy')
    expect((await connectedNode()).name).toBe(leader.name)
    await former.restart()
    await cluster.healthy()
    step('all three nodes are healthy')
    expect(await former.status()).toMatchObject({ role: 'replica' })
    await expectNothingLost()
  })

  test('gives the leader to a standby when only Postgres was killed', async () => {
    const step = stopwatch('Postgres of the leader killed')
    await write()
    const former = await cluster.untilLeader()
    await former.killPostgres()
    const leader = await cluster.untilLeader(former)
    step(`${leader.name} leads`)
    await write()
    step('first write through HAProxy')
    await cluster.healthy()
    step('all three nodes are healthy')
    await expectNothingLost()
  })

  test.each(['pause', 'pauseAsLeader'] as const)(
    'takes the sessions of a frozen leader away, and demotes it when it wakes (%s)',
    async (freeze) => {
      const step = stopwatch(`machine of the leader frozen (${freeze})`)
      await write()
      const former = await cluster.untilLeader()
      const session = await connect(former.url)
      const throughHAProxy = await connect(cluster.primaryUrl)
      const ended = new Promise<void>((resolve) => throughHAProxy.once('end', resolve))
      await former[freeze]()
      await ended
      step('HAProxy has ended the sessions')
      const leader = await cluster.untilLeader(former)
      step(`${leader.name} leads`)
      await write()
      step('first write through HAProxy')
      await former.resume()
      // A session that reaches the former leader without HAProxy writes locally at most: nobody confirms the commit.
      const outcome = await session.query('insert into written values (0)').then(
        () => 'acknowledged',
        (error: Error) => error.message,
      )
      step(`a write on the former leader ended with "${outcome}"`)
      expect(outcome).not.toBe('acknowledged')
      await cluster.healthy()
      step('all three nodes are healthy')
      expect(await former.status()).toMatchObject({ role: 'replica' })
      await expectNothingLost()
    },
  )

  test('lets a leader that etcd does not answer go on while it reaches the other nodes', async () => {
    const step = stopwatch('leader cut off from etcd')
    const leader = await cluster.untilLeader()
    leader.cutFromEtcd()
    await untilTrue('the failsafe mode is active', async () => {
      return (await leader.status()).failsafe_mode_is_active === true
    })
    step('failsafe mode')
    await write()
    step('write through HAProxy')
    expect((await connectedNode()).name).toBe(leader.name)
    leader.reconnect()
    await untilTrue('the failsafe mode is over', async () => !(await leader.status()).failsafe_mode_is_active)
    step('failsafe mode is over')
    await expectNothingLost()
  })

  test('demotes a leader that etcd does not answer if a standby does not either', async () => {
    const step = stopwatch('leader cut off from etcd without a standby')
    const former = await cluster.untilLeader()
    const standby = cluster.nodes.find((node) => node !== former) as ClusterNode
    await standby.kill()
    await cluster.healthy(1)
    await write()
    former.cutFromEtcd()
    const leader = await cluster.untilLeader(former)
    step(`${leader.name} leads`)
    await write()
    step('first write through HAProxy')
    former.reconnect()
    await standby.restart()
    await cluster.healthy()
    await expectNothingLost()
  })

  test('switches over by hand within seconds', async () => {
    const step = stopwatch('switchover')
    const former = await cluster.untilLeader()
    const leader = await cluster.switchover()
    step(`${leader.name} leads`)
    await write()
    step('first write through HAProxy')
    await cluster.healthy()
    step('all three nodes are healthy')
    expect(leader).not.toBe(former)
    await expectNothingLost()
  })

  test('keeps the leader when HAProxy is killed, and serves again when it is back', async () => {
    const step = stopwatch('HAProxy killed')
    const leader = await cluster.untilLeader()
    await cluster.haproxy.kill()
    await write()
    step('first write through HAProxy')
    expect(await cluster.leader()).toBe(leader)
    expect(await has(cluster.replicaUrl, 1)).toBe(true)
  })
})

/** The node that HAProxy leads to. */
async function connectedNode(): Promise<ClusterNode> {
  const client = await connect(cluster.primaryUrl)
  const { rows } = await client.query('select inet_server_port() as port, pg_is_in_recovery() as standby')
  await client.end()
  expect(rows[0].standby).toBe(false)
  return cluster.nodes.find((node) => node.postgresPort === rows[0].port) as ClusterNode
}
