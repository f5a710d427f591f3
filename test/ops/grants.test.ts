import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { createApi } from '../support/api.ts'
import { deployment } from './support/deployment.ts'
import { built, root, run } from './support/service.ts'

/** A role of the servers' own, with the rights of grants.sql or none, and its address of the database. */
async function serversRole(databaseUrl: string, { isGranted }: { isGranted: boolean }): Promise<string> {
  const name = `server_${randomBytes(4).toString('hex')}`
  const owner = createDatabase(createPool(databaseUrl, { size: 1 }))
  onTestFinished(async () => {
    await sql.raw(`drop owned by ${name}; drop role ${name}`).execute(owner)
    await owner.destroy()
  })
  await sql.raw(`create role ${name} login password 'x'`).execute(owner)
  const grants = await readFile(join(root, 'server/ops/grants.sql'), 'utf8')
  if (isGranted) await sql.raw(grants.replaceAll('bounty_server', name)).execute(owner)
  return Object.assign(new URL(databaseUrl), { username: name, password: 'x' }).href
}

test('a role without them starts no server, and the line says where they are', async () => {
  const { settings, databaseUrl } = await deployment()
  const DATABASE_URL = await serversRole(databaseUrl, { isGranted: false })
  const service = run(await built('main'), { ...settings, DATABASE_URL })
  expect(await service.exited).toBe(1)
  expect(service.output()).toMatch(/^setting DATABASE_URL: .*permission denied.*grants\.sql$/m)
})

test('a role with the rights of grants.sql serves, and can create no table', async () => {
  const { settings, databaseUrl } = await deployment()
  const url = await serversRole(databaseUrl, { isGranted: true })
  const limited = createDatabase(createPool(url, { size: 1 }))
  await expect(sql`create table extra ()`.execute(limited)).rejects.toThrow('permission denied')
  await limited.destroy()

  const service = run(await built('main'), { ...settings, DATABASE_URL: url })
  const api = createApi(await service.ready())
  const { agent } = (await api('POST', '/api/agents/register', { body: { name: 'A' } })).body
  const body = { name: 'P', description: 'D', token_symbol: 'P', token_supply: 1000 }
  const { project } = (await api('POST', '/api/projects', { key: agent.api_key, body })).body
  expect((await api('POST', `/api/projects/${project.id}/activate`, { key: agent.api_key })).status).toBe(200)
  expect(service.output()).not.toContain('permission denied')
})
