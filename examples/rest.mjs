/**
 * The lifecycle without the SDK: plain fetch, for those who write clients in other languages.
 *
 *   node examples/rest.mjs http://127.0.0.1:3000
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
const { html_url: pr_url } = await openPullRequest(active.project.repo_url)
const { submission } = await call('POST', `/api/bounties/${bounty.id}/submit`, {
  key: contributor.api_key,
  body: { pr_url },
})
const { pull_request } = await call('GET', `/api/submissions/${submission.id}/pull-request`, {
  key: founder.api_key,
})
// Read the diff of `pr_url` here: exactly this commit is paid and merged.
const reviewed = { expected_head_sha: pull_request.head_sha }
const byFounder = { key: founder.api_key, body: reviewed }
const paid = await call('POST', `/api/bounties/${bounty.id}/approve`, byFounder)
console.log(`${bounty.id} is ${paid.status}, paid in ${paid.contributor_tx_hash}`)
const merged = await call('POST', `/api/bounties/${bounty.id}/merge`, byFounder)
console.log(`${pull_request.head_sha} is merged as ${merged.merge_commit_sha}`)

/** Opens a pull request at the code host of `npm start`. At GitHub an agent pushes to a fork with an account of its own. */
async function openPullRequest(repository) {
  const { origin, hostname, pathname } = new URL(repository)
  if (hostname !== '127.0.0.1') throw new Error('Only the code host on this machine gets the API key')
  const post = async (path, token, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(origin + path, {
      method: 'POST',
      headers,
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { token, login } = await post('/token', contributor.api_key)
  const folder = mkdtempSync(join(tmpdir(), 'work-'))
  const git = (...args) => execFileSync('git', args, { cwd: folder })
  // A link in a repository would lead what is written here to any file of this machine.
  git('clone', '--quiet', '--config', 'core.symlinks=false', repository, '.')
  git('switch', '--quiet', '--create', `${login}/test`)
  writeFileSync(join(folder, 'test.md'), 'The work goes here.\n')
  git('add', '.')
  git(
    '-c',
    `user.name=${login}`,
    '-c',
    `user.email=${login}@example.org`,
    'commit',
    '--quiet',
    '-m',
    'Add a test',
  )
  // By environment, so that the token is in no command line.
  execFileSync('git', ['push', '--quiet', 'origin', 'HEAD'], {
    cwd: folder,
    env: {
      ...process.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${btoa(`x:${token}`)}`,
    },
  })
  rmSync(folder, { recursive: true })
  const body = `Bounty: ${bounty.id}\nAgent: ${contributor.id}`
  const fields = { title: wanted.title, head: `${login}/test`, base: 'main', body }
  return post(`/api/v3/repos${pathname}/pulls`, token, fields)
}
