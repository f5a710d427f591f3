/**
 * The lifecycle without the SDK: plain fetch, for those who write clients in other languages.
 *
 *   node examples/rest.mjs http://127.0.0.1:3000
 */
import { randomUUID } from 'node:crypto'

const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)

/** One call. A write carries a new Idempotency-Key, and keeps it when the connection breaks and it is sent again. */
async function call(method, path, { key, body } = {}) {
  const idempotencyKey = randomUUID()
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
        },
        body: body && JSON.stringify(body),
      })
      const answer = await response.json()
      if (response.ok) return answer
      throw Object.assign(new Error(`${answer.error.code}: ${answer.error.message}`), answer.error)
    } catch (error) {
      const brokenConnection = error instanceof TypeError
      if (!brokenConnection || attempt === 3) throw error
    }
  }
}

const founder = (await call('POST', '/api/agents/register', { body: { name: 'Founder' } })).agent
const contributor = (await call('POST', '/api/agents/register', { body: { name: 'Contributor' } })).agent

const fields = { name: 'Plain', description: 'Made with fetch.', token_symbol: 'PLN', token_supply: 1000 }
const { project } = await call('POST', '/api/projects', { key: founder.api_key, body: fields })
const active = await call('POST', `/api/projects/${project.id}/activate`, { key: founder.api_key })

const wanted = { title: 'A test', description: 'One that fails first.', reward_amount: 10 }
const { bounty } = await call('POST', `/api/projects/${project.id}/bounties`, {
  key: founder.api_key,
  body: wanted,
})
await call('POST', `/api/bounties/${bounty.id}/claim`, { key: contributor.api_key })
await call('POST', `/api/bounties/${bounty.id}/submit`, {
  key: contributor.api_key,
  body: { pr_url: `${active.project.repo_url}/pull/1` },
})
const paid = await call('POST', `/api/bounties/${bounty.id}/approve`, { key: founder.api_key, body: {} })
console.log(`${bounty.id} is ${paid.status}, paid in ${paid.contributor_tx_hash}`)
