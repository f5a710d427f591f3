import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../server/db/client.ts'
import { openPipeline } from '../../server/db/reads/pipeline.ts'
import { toServiceError } from '../../server/http/errors/service-error.ts'
import { openGate } from '../support/gate.ts'
import { startPrimaryAndStandby } from '../support/standby.ts'
import { until } from '../support/until.ts'

const pair = await startPrimaryAndStandby()

const hostOf = ({ url }: { url: string }) => new URL(url).host

/** An address that leads to one server at a time, as a proxy's does, and connections to it. */
async function connections(to: { url: string }) {
  const gate = await openGate(hostOf(to))
  const url = Object.assign(new URL(pair.primary.url), { host: gate.host }).href
  const pool = createPool(url, { size: 3 })
  onTestFinished(() => pool.end())
  const pipeline = openPipeline(url, { statementMs: 1000 })
  onTestFinished(() => pipeline.close())
  return { gate, pool, pipeline }
}

const port = { text: `select current_setting('port') as port` }
const portOf = async (from: pg.Pool) => (await from.query<{ port: string }>(port)).rows[0]?.port
const portIn = (server: { url: string }) => new URL(server.url).port

test('a standby behind the address of the primary is refused, until the address leads to the primary', async () => {
  const { gate, pool, pipeline } = await connections(pair.standby)
  const error = await pool.query('select 1').catch((error) => error)
  expect(error.message).toBe('the server is a standby, not the primary')
  expect(toServiceError(error)).toMatchObject({ code: 'unavailable', retryable: true })
  await until(() => gate.open() === 0)
  expect(pipeline.ready).toBe(false)
  expect(pool.totalCount).toBe(0)
  gate.target = hostOf(pair.primary)
  expect(await portOf(pool)).toBe(portIn(pair.primary))
  await until(() => pipeline.ready)
  expect(await pipeline.run(port)).toEqual([{ port: portIn(pair.primary) }])
})

test('when the proxy ends the sessions on a primary that failed, all go on at the new one and never at a standby', async () => {
  const { gate, pool, pipeline } = await connections(pair.primary)
  await until(() => pipeline.ready)
  const waiting = pool.query('select pg_sleep(600)').catch((error) => error)
  await until(async () => {
    const active = `select from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`
    return (await pool.query(active)).rows.length === 1
  })
  gate.target = hostOf(pair.standby)
  gate.close()
  expect(toServiceError(await waiting)).toMatchObject({ code: 'unavailable', retryable: true })
  const refusal = () => pool.query('create table refused ()').catch((error) => error.message)
  await until(async () => (await refusal()) === 'the server is a standby, not the primary')
  const direct = new pg.Client(pair.standby.url)
  await direct.connect()
  onTestFinished(() => direct.end())
  await direct.query('select pg_promote()')
  expect(await portOf(pool)).toBe(portIn(pair.standby))
  await pool.query('create table written_after_the_failover ()')
  await until(() => pipeline.ready)
  expect(await pipeline.run(port)).toEqual([{ port: portIn(pair.standby) }])
})
