import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { createRecipient, openHpke } from '../support/hpke.ts'
import { createTestMarket } from '../support/market.ts'
import { startReceiver } from '../support/webhooks.ts'

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const masterKey = `master-${randomUUID()}-${randomUUID()}`
const market = await createTestMarket({
  settings: { WALLET_MASTER_KEY: masterKey },
  log: pino({ level: 'debug' }, sink),
})
afterAll(market.close)

/** Every secret of the story, by what it is. */
const secrets = new Map<string, string>([
  ['wallet master key', masterKey],
  ['code host token', market.githubToken],
  ...market.chain.operatorKeys.map((key, nth): [string, string] => [`operator key ${nth}`, key.slice(2)]),
])
const failures: string[] = []

const call = async (...request: Parameters<typeof market.api>): Promise<ApiResponse> => {
  const answer = await market.api(...request)
  if (answer.status >= 400) failures.push(JSON.stringify(answer.body) + JSON.stringify([...answer.headers]))
  return answer
}

function keepKey(what: string, apiKey: string): string {
  secrets.set(what, apiKey)
  // Whoever logs a part of it logs a secret too; the public part in its middle is none.
  secrets.set(`secret part of the ${what}`, apiKey.split('_')[2] ?? '')
  return apiKey
}

/** A new agent with every secret that belongs to one. */
async function newAgent(name: string): Promise<string> {
  const idempotencyKey = randomUUID()
  secrets.set(`Idempotency-Key of ${name}`, idempotencyKey)
  const headers = { 'idempotency-key': idempotencyKey }
  const answer = await call('POST', '/api/agents/register', { body: { name }, headers })
  const first = keepKey(`first API key of ${name}`, answer.body.agent.api_key)
  const rotation = { key: first, headers, body: { overlap_seconds: 3600 } }
  const rotated = await call('POST', '/api/agents/me/rotate-key', rotation)
  await call('POST', '/api/agents/me/rotate-key', rotation)
  return keepKey(`second API key of ${name}`, rotated.body.agent.api_key)
}

/** An agent exports the key of its wallet, and is refused in between. */
async function exportWallet(key: string): Promise<void> {
  const { pair, spki } = createRecipient()
  secrets.set('recipient key of an export', spki)
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
      secrets.set(`${part} of an export`, body[part])
      secrets.set(`${part} of an export as bytes`, Buffer.from(body[part], 'base64').toString('hex'))
    }
    secrets.set('exported key', openHpke(pair, body.encapsulated_key, body.ciphertext).toString().slice(2))
  }
}

/** An agent creates a webhook, with requests that fail, and replaces its secret. */
async function keepWebhook(key: string): Promise<void> {
  const receiver = await startReceiver()
  const keep = (what: string, secret: string) => {
    secrets.set(what, secret)
    secrets.set(`key of the ${what}`, secret.replace('whsec_', ''))
  }
  const headers = { 'idempotency-key': randomUUID() }
  const request = { key, body: { url: receiver.url }, headers }
  const created = await call('POST', '/api/webhooks', request)
  await call('POST', '/api/webhooks', request)
  keep('secret of a webhook', created.body.secret)
  const path = `/api/webhooks/${created.body.webhook.id}`
  keep('second secret of a webhook', (await call('POST', `${path}/rotate-secret`, { key })).body.secret)
  await call('PATCH', path, { key, body: { url: `http://${created.body.secret}.example/` } })
  await receiver.close()
  await call('PATCH', path, { key, body: { url: `${receiver.url}/other` } })
  await call('POST', `${path}/test`, { key })
}

/** A whole bounty, with requests in between that fail in as many ways as there are. */
async function story(): Promise<void> {
  const [founder, contributor] = [await newAgent('founder'), await newAgent('contributor')]
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
    if (opened) secrets.set(`wallet key of ${agent_id}`, opened.slice(2))
  }
}

/** Every row of every table, as text; bytes as hex. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(market.db)
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
        market.db,
      )
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return contents.join('\n')
}

/** Command lines and titles of every process that runs, where the system tells them. */
async function processes(): Promise<string> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(
    pids.flatMap((pid) =>
      ['cmdline', 'comm'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    ),
  )
  return `${process.title}\n${texts.join('\n')}`
}

const forms = (secret: string) => [
  secret,
  secret.toUpperCase(),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
]

test('no key and no secret of a whole story is in a log line, a database row, an error or a process title', async () => {
  await story()
  expect(secrets.size).toBeGreaterThanOrEqual(21)
  expect(failures.length).toBeGreaterThanOrEqual(12)
  expect(lines.length).toBeGreaterThan(20)
  const places = {
    log: lines.join(''),
    database: await dump(),
    errors: failures.join('\n'),
    processes: await processes(),
  }
  expect(places.database).toContain('$argon2id$')
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...secrets].flatMap(([what, secret]) =>
      forms(secret).some((form) => text.includes(form)) ? [`${what} in the ${place}`] : [],
    ),
  )
  expect(found).toEqual([])
})
