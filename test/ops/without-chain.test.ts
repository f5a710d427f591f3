import { expect, test } from 'vitest'
import { type Api, createApi } from '../support/api.ts'
import { createTestMarket } from '../support/market.ts'
import { createRpcProxy, type RpcProxy } from '../support/rpc-proxy.ts'
import { createScenarios } from '../support/scenarios.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'
import { deployment } from './support/deployment.ts'
import { built, run, type ServiceProcess } from './support/service.ts'

/** A way to the chain that is not open yet. */
async function disconnectedProxy(rpcUrl: string): Promise<RpcProxy> {
  const proxy = await createRpcProxy(rpcUrl)
  proxy.disconnect()
  return proxy
}

async function serving(
  settings: Record<string, string>,
  proxy: RpcProxy,
): Promise<{ service: ServiceProcess; api: Api }> {
  const service = run(await built('main'), { ...settings, CHAIN_RPC_URL: proxy.url })
  return { service, api: createApi(await service.ready()) }
}

/** Whether the balancer may send requests, and where the service says it stands with its chain. */
async function readiness(api: Api) {
  const { status, body } = await api('GET', '/readyz')
  return { status, chain: body.chain }
}

const chainIs = (api: Api, state: string) => until(async () => (await readiness(api)).chain === state)

/** One project to activate and one bounty to approve, made while the chain was there. */
async function unfinished(around: World) {
  const market = await createTestMarket({
    sharing: around,
    settings: { WALLET_MASTER_KEY: around.settings.WALLET_MASTER_KEY as string },
  })
  const [bounty, proposed] = await Promise.all([market.bountyInReview(), market.proposedProject()])
  await market.close()
  return { bounty, proposed }
}

test('started without its node: reads 200, money 503, and both paid and activated when the node comes', async () => {
  const around = await deployment()
  const { bounty, proposed } = await unfinished(around)
  const proxy = await disconnectedProxy(around.chain.rpcUrl)
  const { service, api } = await serving(around.settings, proxy)
  const { key } = bounty.founder
  const approve = () => api('POST', `/api/bounties/${bounty.id}/approve`, { key, body: {} })
  const activate = () =>
    api('POST', `/api/projects/${proposed.id}/activate`, { key: proposed.founder.key, body: {} })
  const fields = { title: 'Lexer', description: 'Tokenize.', reward_amount: 10 }

  expect(await readiness(api)).toEqual({ status: 200, chain: 'unreachable' })
  await until(() => service.output().includes('STARTED WITHOUT ITS CHAIN'))
  const reads = ['/api/bounties', `/api/bounties/${bounty.id}`, '/api/projects', '/api/dashboard/stats']
  for (const path of reads) expect((await api('GET', path)).status, path).toBe(200)
  expect((await api('GET', '/api/config/public')).body.config).toMatchObject({
    chain: null,
    contracts: null,
    payouts_enabled: false,
  })

  const refused = [
    await approve(),
    await activate(),
    await api('GET', `/api/projects/${bounty.project.id}/approval-status`, { key }),
    await api('POST', `/api/projects/${bounty.project.id}/bounties`, { key, body: fields }),
  ]
  for (const { status, body } of refused)
    expect([status, body.error.code, body.error.retryable]).toEqual([503, 'chain_unreachable', true])
  const register = (body: object) => api('POST', '/api/agents/register', { body })
  const withWallet = { name: 'Ada', wallet_address: around.chain.platformWallet }
  expect((await register(withWallet)).body.error.code).toBe('unavailable')
  expect((await register({ name: 'Ada' })).status).toBe(201)

  proxy.restore()
  await chainIs(api, 'ready')
  expect((await approve()).body).toMatchObject({ bounty_id: bounty.id, status: 'done' })
  expect((await activate()).body.project).toMatchObject({ id: proposed.id, status: 'active' })
  expect((await register(withWallet)).body.error.code).toBe('reserved_address')

  proxy.stopResponding()
  await chainIs(api, 'unreachable')
  expect(await readiness(api)).toEqual({ status: 200, chain: 'unreachable' })
  expect((await api('GET', '/api/bounties')).status).toBe(200)
  expect((await api('GET', '/api/config/public')).body.config.payouts_enabled).toBe(false)
})

test('started beside a silent node: deploys its contracts and pays when the node speaks', async () => {
  const around = await deployment()
  const { PLATFORM_WALLET_ADDRESS: _, ...settings } = around.settings
  const operator = await around.chain.fundedAccount()
  const proxy = await disconnectedProxy(around.chain.rpcUrl)
  proxy.stopResponding()
  const { service, api } = await serving({ ...settings, OPERATOR_PRIVATE_KEYS: operator.privateKey }, proxy)
  expect(await readiness(api)).toEqual({ status: 200, chain: 'unreachable' })
  expect((await api('GET', '/api/bounties')).status).toBe(200)

  proxy.restore()
  await chainIs(api, 'ready')
  await until(() => service.output().includes('contracts created'))
  const { chain, github, githubToken: token } = around
  await createScenarios({ api, db: undefined as never, chain, github, token }).doneBounty()
})
