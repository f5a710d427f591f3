import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readServers } from '../../server/config/postgres-servers.ts'
import { createPool } from '../../server/db/client.ts'
import { openPipeline } from '../../server/db/reads/pipeline.ts'
import { toServiceError } from '../../server/http/errors/service-error.ts'
import { openGate } from '../support/gate.ts'
import { type PrimaryAndStandby, startPrimaryAndStandby } from '../support/standby.ts'
import { until } from '../support/until.ts'

describe('an address in the syntax of libpq', () => {
  const urls = (address: string) => readServers(address).urls

  test('names one server or several, each with its port, and shares the rest', () => {
    expect(urls('postgres://u:p@one/db')).toEqual(['postgres://u:p@one/db'])
    expect(urls('postgresql://u:p@one,two:5433,[::1]:5434/db?sslmode=require')).toEqual([
      'postgresql://u:p@one/db?sslmode=require',
      'postgresql://u:p@two:5433/db?sslmode=require',
      'postgresql://u:p@[::1]:5434/db?sslmode=require',
    ])
  })

  test('may have a comma in the password, the database or a parameter', () => {
    for (const address of ['postgres://u:p,q@one/db', 'postgres://one/a,b', 'postgres://one/db?options=-c,x'])
      expect(urls(address)).toEqual([address])
    expect(urls('postgres://u:p,q@one,two/a,b')).toEqual([
      'postgres://u:p,q@one/a,b',
      'postgres://u:p,q@two/a,b',
    ])
  })

  test('says which server is wanted', () => {
    expect(readServers('postgres://one,two/db?target_session_attrs=read-write').target).toBe('read-write')
    expect(readServers('postgres://one/db').target).toBeUndefined()
    const twice = 'target_session_attrs=standby&target_session_attrs=primary'
    expect(readServers(`postgres://one/db?${twice}`).target).toBe('primary')
    expect(() => readServers('postgres://one/db?target_session_attrs=master')).toThrow(RangeError)
  })

  test('is refused if a server is not valid', () => {
    const wrong = ['postgres://one,two:port/db', 'postgres://one,two words/db', 'nonsense']
    // Parameters name one server alone: with several the wrong one would be checked.
    wrong.push(
      'postgres:///db?host=one,two',
      'postgres://one,two/db?host=three',
      'postgres://one,two/db?port=1',
      'postgres://one,two/db?hostaddr=127.0.0.1',
    )
    for (const address of wrong) expect(() => readServers(address)).toThrow(TypeError)
    for (const address of ['postgres://one,/db', 'postgres://,one/db', 'postgres://one,,two/db'])
      expect(() => readServers(address)).toThrow(TypeError)
  })

  test('stays out of the error that refuses it', () => {
    let error: unknown
    try {
      readServers('postgres://u:hunter2@one,two:port/db')
    } catch (thrown) {
      error = thrown
    }
    expect(inspect(error)).not.toContain('hunter2')
    expect(error).toBeInstanceOf(TypeError)
  })
})

describe('connections', () => {
  let pair: PrimaryAndStandby
  let silent: Server
  beforeAll(async () => {
    pair = await startPrimaryAndStandby()
    silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    silent.close()
    await pair.close()
  })

  const hostOf = (url: string) => new URL(url).host
  const standby = () => hostOf(pair.standby.url)
  const primary = () => hostOf(pair.primary.url)
  /** A server that accepts connections and never responds, as a frozen machine. */
  const frozen = () => `127.0.0.1:${(silent.address() as AddressInfo).port}`
  /** The address of several hosts; nothing listens at port 1. */
  const address = (hosts: string[], target?: string) =>
    pair.primary.url.replace(primary(), hosts.join()) + (target ? `?target_session_attrs=${target}` : '')

  function poolOf(url: string): pg.Pool {
    const pool = createPool(url, { size: 3 })
    onTestFinished(() => pool.end())
    return pool
  }
  /** Port of the server that a pool leads to. */
  async function portOf(pool: pg.Pool): Promise<string> {
    const { rows } = await pool.query(`select current_setting('port') as port`)
    return rows[0].port
  }
  const portIn = (host: string) => host.split(':')[1]

  test('of several servers the primary is found, wherever it stands, beside one that is gone and one that is frozen', async () => {
    const hosts = [primary(), standby(), '127.0.0.1:1', frozen()]
    for (const target of ['read-write', 'primary', undefined])
      for (const order of [hosts, hosts.toReversed()])
        expect(await portOf(poolOf(address(order, target)))).toBe(portIn(primary()))
  })

  test('a socket of this machine may stand among the servers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pg-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await openGate(primary(), 'pass', join(folder, '.s.PGSQL.5432'))
    const hosts = ['127.0.0.1:1', encodeURIComponent(folder)]
    expect(await portOf(poolOf(address(hosts, 'read-write')))).toBe(portIn(primary()))
  })

  test('prefer-standby leads to the standby, and to the primary if there is none', async () => {
    const hosts = [primary(), '127.0.0.1:1', standby()]
    expect(await portOf(poolOf(address(hosts, 'prefer-standby')))).toBe(portIn(standby()))
    expect(await portOf(poolOf(address([primary(), '127.0.0.1:1'], 'prefer-standby')))).toBe(
      portIn(primary()),
    )
  })

  test('a standby behind the address of the primary is refused, and the request may be repeated', async () => {
    const error = await poolOf(pair.standby.url)
      .query('select 1')
      .catch((error) => error)
    expect(toServiceError(error)).toMatchObject({ code: 'unavailable', retryable: true })
    const pipeline = openPipeline(pair.standby.url, { statementMs: 1000 })
    onTestFinished(() => pipeline.close())
    const accepting = openPipeline(pair.standby.url, { statementMs: 1000, target: 'any' })
    onTestFinished(() => accepting.close())
    await until(() => accepting.ready)
    expect(pipeline.ready).toBe(false)
  })

  test('without any suitable server the error names the reasons and no address', async () => {
    const error = await poolOf(address([standby(), '127.0.0.1:1'], 'read-write'))
      .query('select 1')
      .catch((error) => error)
    expect(toServiceError(error)).toMatchObject({ code: 'unavailable' })
    expect(error.message).toBe(
      'none of the 2 servers can be used (the server is not what is asked for, ECONNREFUSED)',
    )
  })

  test('an idle connection to a primary that freezes is given up, because another one may lead when it wakes', async () => {
    const gate = await openGate(primary(), 'pass')
    const pipeline = openPipeline(address([gate.host, '127.0.0.1:1'], 'read-write'), { statementMs: 100 })
    onTestFinished(() => pipeline.close())
    await until(() => pipeline.ready)
    gate.mode = 'refuse'
    gate.freeze()
    await until(() => !pipeline.ready)
  })

  test('when one connection finds a new primary, all others leave the old one and go on there', async () => {
    const url = address([primary(), standby()], 'read-write')
    const pool = poolOf(url)
    const pipeline = openPipeline(url, { statementMs: 1000 })
    onTestFinished(() => pipeline.close())
    await until(() => pipeline.ready)
    const [old] = await pipeline.run<{ pid: number; port: string }>({
      text: `select pg_backend_pid() as pid, current_setting('port') as port`,
    })
    expect(old?.port).toBe(portIn(primary()))
    const waiting = pool.query('select pg_sleep(600)').catch((error) => error)
    await until(async () => {
      const active = `select from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`
      return (await pool.query(active)).rows.length === 1
    })
    // The old primary goes on, as a machine does that has lost its network.
    await onServer(pair.standby.url, 'select pg_promote()')
    const database = new URL(pair.primary.url).pathname
    await onServer(
      pair.primary.url.replace(database, '/template1'),
      `alter database ${database.slice(1)} allow_connections false; select pg_terminate_backend(${old?.pid})`,
    )
    expect(toServiceError(await waiting)).toMatchObject({ code: 'unavailable', retryable: true })
    await until(async () => (await portOf(pool).catch(() => undefined)) === portIn(standby()))
    await until(() => pipeline.ready)
    const [now] = await pipeline.run<{ port: string }>({ text: `select current_setting('port') as port` })
    expect(now?.port).toBe(portIn(standby()))
    await pool.query('create table written_after_the_failover ()')
  })

  describe('while the old primary takes writes, too, as when its machine wakes', () => {
    beforeAll(async () => {
      const database = new URL(pair.primary.url).pathname
      await onServer(
        pair.primary.url.replace(database, '/template1'),
        `alter database ${database.slice(1)} allow_connections true`,
      )
    })
    const sessionOf = async (pool: pg.Pool) =>
      (await pool.query(`select pg_backend_pid() as pid, current_setting('port') as port`)).rows[0]
    /** A gate in front of each, and an attempt to connect that is held at the one of the old primary. */
    async function heldAtOld() {
      const [old, current] = await Promise.all([openGate(primary()), openGate(standby())])
      const url = address([old.host, current.host], 'read-write')
      old.mode = 'pass'
      expect((await sessionOf(poolOf(url))).port).toBe(portIn(primary()))
      old.mode = 'hold'
      const late = poolOf(url)
      const ended = late.query('select 1').catch((error) => error)
      await until(() => old.held.length === 1)
      old.mode = 'refuse'
      return { old, current, url, late, ended, pass: () => old.held[0]?.() }
    }

    test('the new one is used, in whichever order they stand and whichever responds first', async () => {
      const slow = await openGate(standby())
      let attempts = 0
      /** Servers that respond more than half a second after the first are not compared: a busy machine needs another attempt. */
      const isNewUsed = async (hosts: string[]) => {
        slow.mode = 'hold'
        const unknown = `${address(hosts, 'read-write')}&application_name=attempt-${attempts++}`
        const port = portOf(poolOf(unknown))
        await until(() => slow.held.length === 1)
        // The old one was asked at the same time as the new one: it has responded when it has served two more connections.
        for (const _ of [1, 2]) await onServer(pair.primary.url, 'select')
        slow.mode = 'pass'
        slow.held.pop()?.()
        return (await port) === portIn(standby())
      }
      await until(() => isNewUsed([primary(), slow.host]))
      await until(() => isNewUsed([slow.host, primary()]))
    })

    test('a connection to the old one that is ready late does not lead the others back', async () => {
      const { current, url, ended, pass } = await heldAtOld()
      current.mode = 'pass'
      const pool = poolOf(url)
      await until(async () => (await sessionOf(pool).catch(() => undefined))?.port === portIn(standby()))
      const session = await sessionOf(pool)
      pass()
      expect(toServiceError(await ended)).toMatchObject({ code: 'unavailable' })
      expect(await sessionOf(pool)).toEqual(session)
    })

    test('a connection to the old one that is ready before the first to the new one does not keep the others', async () => {
      const { current, url, late, ended, pass } = await heldAtOld()
      current.mode = 'hold'
      const pool = poolOf(url)
      await expect(portOf(pool)).rejects.toThrow()
      const first = portOf(pool)
      await until(() => current.held.length === 1)
      current.held.pop()?.()
      await until(() => current.held.length === 1)
      pass()
      expect(await ended).toMatchObject({ rowCount: 1 })
      current.mode = 'pass'
      current.held.pop()?.()
      expect(await first).toBe(portIn(standby()))
      await until(async () => (await sessionOf(late).catch(() => undefined))?.port === portIn(standby()))
      expect((await sessionOf(poolOf(url))).port).toBe(portIn(standby()))
    })
  })
})

async function onServer(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}
