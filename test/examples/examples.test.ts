import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startRpcProxy } from '../../server/embedded/chain/rpc-proxy.ts'
import { startServer } from '../support/server.ts'
import { sharedChain } from '../support/shared/shared.ts'
import { createMarketWithoutGit, runExample, runScript } from './support.ts'

const market = await createMarketWithoutGit({ PLATFORM_FEE_BPS: '333' })

test.concurrent('npm run smoke pays both founders’ bounties to the last base unit, at PORT', async () => {
  const printed = await runScript('smoke', { PORT: new URL(market.baseUrl).port })
  expect(printed).toMatch(/contributor 0 -> 483\.35\n/)
  expect(printed).toMatch(/treasury {4}0 -> 16\.65\n/)
  expect(printed).toMatch(/offers 101000 tokens, 1000 more than its bounty reserve/)
  expect(printed).toMatch(/founder {5}101000 -> 0\n/)
})

test.concurrent('where no node is published, npm run smoke asks for one, and checks every figure with it', async () => {
  const silent = await createMarketWithoutGit({ CHAIN_PUBLIC_RPC_URL: '' })
  const asked = await runExample('lifecycle.ts', silent.baseUrl).catch((error) => error)
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This.* set CHAIN_RPC_URL .*\n$/) })
  const { port } = new URL(silent.baseUrl)
  const printed = await runScript('smoke', { PORT: port, CHAIN_RPC_URL: await sharedChain() })
  expect(printed).toMatch(/founder {5}101000 -> 0\n/)
})

test.concurrent('two-agents.ts says in one line what it lacks', async () => {
  const lacks = async (baseUrl: string) => {
    const failed = await runExample('two-agents.ts', baseUrl).catch((error) => error)
    expect(failed.code).toBe(1)
    return failed.stderr.trim().split('\n')
  }
  expect(await lacks(market.baseUrl)).toEqual([expect.stringContaining('install git 2.38')])
  expect(await lacks('http://127.0.0.1:1')).toEqual([
    expect.stringContaining('run "npm start" in another terminal'),
  ])
})

test.concurrent('lifecycle.ts fails if a figure is off', async () => {
  const liar = await startServer(async (request, response) => {
    const body = await buffer(request)
    const { method, url, headers } = request
    const answer = await fetch(market.baseUrl + url, {
      method,
      headers: Object.entries(headers).filter(([name]) => /^(authorization|content-type)$/.test(name)) as [
        string,
        string,
      ][],
      body: body.length > 0 ? body : undefined,
    })
    const text = await answer.text()
    response.writeHead(answer.status).end(text.replace('"platform_bps":333', '"platform_bps":334'))
  })
  const failed = await runExample('lifecycle.ts', liar.url).catch((error) => error)
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('4 figures are wrong') })
})

test.concurrent('cash-out.ts sells half of a reward, withdraws the rest and exports the key', async () => {
  const lines = (await runExample('cash-out.ts', market.baseUrl)).trim().split('\n')
  expect(lines).toEqual([
    'earned 966.7 tokens, which sell for 0 ETH',
    expect.stringContaining('buyers'),
    expect.stringMatching(/^somebody has bought: now they sell for 0\.00\d+ ETH$/),
    expect.stringMatching(/^sold 483\.35 tokens for 0\.00\d+ ETH in 0x[0-9a-f]{64}$/),
    expect.stringMatching(/^withdrew 483\.35 tokens in 0x[0-9a-f]{64}$/),
    expect.stringMatching(/^exported the key of 0x[0-9a-fA-F]{40} and signed with it$/),
  ])
})

test.concurrent('dollars.ts locks dollars for two bounties, and is paid, withdraws and gets back what it should', async ({
  onTestFinished,
}) => {
  const { hostname, port } = new URL(await sharedChain())
  const gate = await startRpcProxy(0, { host: hostname, port: Number(port) })
  onTestFinished(() => gate.close())
  const local = await createMarketWithoutGit({ CHAIN_PUBLIC_RPC_URL: `http://127.0.0.1:${gate.port}` })
  const lines = (await runExample('dollars.ts', local.baseUrl)).trim().split('\n')
  expect(lines).toEqual([
    'the founder has 1000 dollars',
    '20.5 dollars are locked for "Write a test for 20.50 dollars"',
    expect.stringMatching(/^the contributor was paid 0\.95 tokens and 19\.475 dollars in 0x[0-9a-f]{64}$/),
    'withdrew 19.475 dollars',
    'cancelled, and the founder has 979.5 dollars again',
  ])
})

test.concurrent('errors.ts explains each kind of failure', async () => {
  const lines = (await runExample('errors.ts', market.baseUrl)).trim().split('\n')
  expect(lines).toEqual([
    'a field that is not allowed: name must not be blank; wallet_address must be 0x followed by 40 hex characters',
    'a key that is not one: register again, the key is lost',
    'a bounty that is not there: bounty_not_found, look at the id',
    expect.stringMatching(/^dashboard\.stats: attempt 1 failed, next in \d+ ms$/),
    'a service that is not there: dashboard.stats: no response from http://127.0.0.1:1',
    'giving up: changed my mind',
  ])
})

test.concurrent('webhook-receiver.ts passes the challenge and verifies a delivery', async () => {
  expect(await runExample('webhook-receiver.ts', market.baseUrl)).toMatch(
    // A new webhook also gets what has happened in the minute before.
    /^created wh_\w+\n(agent\.registered for agent_\w+\n)?webhook\.tested for agent_\w+\n$/,
  )
})
