import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { noteSecret } from '../support/evidence/write.ts'
import { createRecipient, openHpke } from '../support/hpke.ts'
import { createTestMarket } from '../support/market.ts'
import { startReceiver } from '../support/webhooks.ts'

/*
 * Every run searches all that its tests log, store, respond with as an error and show of their processes for every secret
 * that they use, and fails if it finds one (`../support/evidence`). Here are uses of secrets that no other test has.
 */
const market = await createTestMarket({
  proxied: true,
  log: pino({ level: 'debug' }, new Writable({ write: (_chunk, _encoding, done) => done() })),
})

let failures = 0
const call = async (...request: Parameters<typeof market.api>): Promise<ApiResponse> => {
  const answer = await market.api(...request)
  if (answer.status >= 400) failures++
  return answer
}

/** A new agent with every secret that belongs to one. */
async function newAgent(name: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await call('POST', '/api/agents/register', { body: { name }, headers })
  const rotation = { key: answer.body.agent.api_key, headers, body: { overlap_seconds: 3600 } }
  const rotated = await call('POST', '/api/agents/me/rotate-key', rotation)
  await call('POST', '/api/agents/me/rotate-key', rotation)
  const request = { key: rotated.body.agent.api_key, headers, body: { scope: 'work', label: name } }
  const { secret } = (
    await call('POST', '/api/agents/me/tokens', { ...request, headers: { 'idempotency-key': randomUUID() } })
  ).body
  await call('GET', `/api/bounties/${secret}?q=${secret}&${secret}=1`)
  await call('POST', '/api/projects', { key: secret, body: { [secret]: secret, label: secret } })
  await call('DELETE', `/api/agents/me/tokens/${secret}`, { key: secret })
  return rotated.body.agent.api_key
}

/** An agent exports the key of its wallet, and is refused in between. */
async function exportWallet(key: string): Promise<void> {
  const { pair, spki } = createRecipient()
  noteSecret('recipient key of an export', spki)
  const path = '/api/agents/me/wallet/export'
  const headers = { 'idempotency-key': randomUUID() }
  await call('POST', path, { key, body: { recipient_public_key: `${spki}=` } })
  await call('POST', path, { key, body: { recipient_public_key: spki.slice(4) } })
  await call('POST', path, {
    key,
    body: { recipient_public_key: spki },
    headers: { 'idempotency-key': spki },
  })
  for (let times = 0; times < 2; times++) {
    const { status, body } = await call('POST', path, { key, body: { recipient_public_key: spki }, headers })
    expect(status).toBe(200)
    for (const part of ['ciphertext', 'encapsulated_key']) {
      noteSecret(`${part} of an export`, body[part])
      noteSecret(`${part} of an export as bytes`, Buffer.from(body[part], 'base64').toString('hex'))
    }
    noteSecret('exported key', openHpke(pair, body.encapsulated_key, body.ciphertext).toString().slice(2))
  }
}

/** An agent creates a webhook, with requests that fail, and replaces its secret. */
async function keepWebhook(key: string): Promise<void> {
  const receiver = await startReceiver()
  const headers = { 'idempotency-key': randomUUID() }
  const request = { key, body: { url: receiver.url }, headers }
  const created = await call('POST', '/api/webhooks', request)
  await call('POST', '/api/webhooks', request)
  const path = `/api/webhooks/${created.body.webhook.id}`
  await call('POST', `${path}/rotate-secret`, { key })
  await call('PATCH', path, { key, body: { url: `http://${created.body.secret}.example/` } })
  await receiver.close()
  await call('PATCH', path, { key, body: { url: `${receiver.url}/other` } })
  await call('POST', `${path}/test`, { key })
}

/** A whole bounty, with requests in between that fail in as many ways as there are. */
async function story(): Promise<void> {
  const founder = await newAgent('founder')
  const contributor = await newAgent('contributor')
  const token = { name: 'P', description: 'D', token_symbol: 'SYM', token_supply: 1_000_000 }
  const { project } = (await call('POST', '/api/projects', { key: founder, body: token })).body
  const active = await call('POST', `/api/projects/${project.id}/activate`, { key: founder })
  const offer = { title: 'T', description: 'D', reward_amount: 10 }
  const { bounty } = (
    await call('POST', `/api/projects/${project.id}/bounties`, { key: founder, body: offer })
  ).body
  await call('POST', `/api/bounties/${bounty.id}/claim`, { key: contributor })
  const pr_url = await market.pullRequest(active.body.project)
  await call('POST', `/api/bounties/${bounty.id}/submit`, { key: contributor, body: { pr_url } })
  for (const secret of [founder, contributor]) {
    await call('GET', `/api/bounties/${secret}`)
    await call('GET', `/api/bounties?q=${secret}&${secret}=1&status=${secret}`)
    await call('GET', `/${secret}`)
    await call('POST', '/api/projects', { key: secret, body: { [secret]: secret, name: 12 } })
    await call('POST', '/api/projects', { key: `${secret}0`, body: {} })
    await call('POST', `/api/bounties/${bounty.id}/claim`, {
      key: secret,
      headers: { 'idempotency-key': `${secret} ` },
    })
  }
  market.chainProxy.disconnect()
  await call('GET', `/api/projects/${project.id}/approval-status`, { key: founder })
  market.chainProxy.restore()
  const paid = await call('POST', `/api/bounties/${bounty.id}/approve`, { key: founder, body: {} })
  expect(paid.status).toBe(200)
  await exportWallet(contributor)
  await keepWebhook(contributor)
  const wallets = await market.db.selectFrom('managed_wallets').selectAll().execute()
  for (const { agent_id, address, sealed_key, key_version } of wallets) {
    const sealed = { address: address as `0x${string}`, sealedKey: sealed_key, keyVersion: key_version }
    const opened = market.services.wallets?.open(agent_id, sealed)
    if (opened) noteSecret(`wallet key of ${agent_id}`, opened.slice(2))
  }
}

test('a whole story with its secrets at every place where they do not belong is served', async () => {
  await story()
  expect(failures).toBeGreaterThanOrEqual(12)
})
