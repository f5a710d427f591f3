import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { type ChainSource, chainSource, connectContracts } from '../../server/startup/connect/chain.ts'
import { openSurroundings } from './support/surroundings.ts'

let around: Awaited<ReturnType<typeof openSurroundings>>
beforeAll(async () => {
  around = await openSurroundings()
})
afterAll(() => around.release())

/** A node that has never heard of safe and finalized blocks. */
async function nodeWithoutTags(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { id, params } = JSON.parse(body) as { id: number; params?: unknown[] }
    const headers = { 'content-type': 'application/json' }
    if (params?.[0] === 'finalized') {
      const error = { code: -32602, message: 'invalid argument 0: hex string without 0x prefix' }
      return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    const answer = await fetch(around.chain.rpcUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function findings(settings: Record<string, string>) {
  const found = await checkConfiguration({ ...around.settings, ...settings })
  return found.filter(({ about }) => about === 'FINALITY')
}

test('a node that knows the tag is told with how far behind it is', async () => {
  expect(await findings({ FINALITY: 'finalized' })).toEqual([
    {
      level: 'ok',
      about: 'FINALITY',
      text: expect.stringMatching(/^finalized is block \d+, \d+ behind the newest$/),
    },
  ])
  expect(await findings({})).toEqual([])
})

test('a node that does not know the tag is wrong, for config:check and at the start', async () => {
  const settings = { FINALITY: 'finalized', CHAIN_RPC_URL: await nodeWithoutTags() }
  expect(await findings(settings)).toEqual([
    {
      level: 'wrong',
      about: 'FINALITY',
      text: expect.stringMatching(
        /^the node does not know the block tag finalized \(.*\): no payout would ever be/,
      ),
    },
  ])
  const db = createDatabase(createPool(around.databaseUrl, { size: 1 }))
  const context = { db, embedded: undefined, report: () => undefined, log: pino({ level: 'silent' }) }
  const config = readConfig({ ...around.settings, ...settings })
  const starting = connectContracts(config, context, chainSource(config, undefined) as ChainSource)
  await expect(starting).rejects.toThrow(/^setting FINALITY: the node does not know the block tag finalized/)
  await db.destroy()
})
