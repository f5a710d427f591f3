import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { checkConfiguration } from '../../server/ops/check-configuration.ts'
import { connectContracts } from '../../server/startup/connect/chain.ts'
import { type ChainSource, chainSource } from '../../server/startup/connect/nodes.ts'
import { createRpcProxy } from '../support/rpc-proxy.ts'
import { openSurroundings } from './support/surroundings.ts'

let around: Awaited<ReturnType<typeof openSurroundings>>
beforeAll(async () => {
  around = await openSurroundings()
})
afterAll(() => around.release())

/** A node that has never heard of safe and finalized blocks. */
async function nodeWithoutTags(): Promise<string> {
  const proxy = await createRpcProxy(around.chain.rpcUrl)
  onTestFinished(proxy.close)
  proxy.refuse(({ params }) =>
    params?.[0] === 'finalized' ? 'invalid argument 0: hex string without 0x prefix' : undefined,
  )
  return proxy.url
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
