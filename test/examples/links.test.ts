/** @module-tag git */
import { execFile } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Marketplace } from '@bounty-marketplace/sdk'
import { commit, deliver, logIn } from '@bounty-marketplace/sdk/git'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPullRequest } from '../../examples/support/code-host.ts'
import { json, startScriptedServer } from '../sdk/support/scripted-server.ts'
import { root } from './support.ts'

// A merged pull request may have put links into a repository. Nothing is written through them.

const run = promisify(execFile)
const bounty = { id: 'bnt_1', project_id: 'proj_1', title: 'An own title' }

const host = await startScriptedServer()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'))
  await mkdir(join(folder, 'home'))
  await writeFile(join(folder, 'home/.bashrc'), 'mine\n')
  await git('init', '--quiet', '--bare', '--initial-branch=main', 'repository')
  await git('clone', '--quiet', 'repository', 'accomplice')
  await symlink(join(folder, 'home/.bashrc'), join(folder, 'accomplice/bnt_1.md'))
  await symlink(join(folder, 'home'), join(folder, 'accomplice/docs'))
  const accomplice = ['-C', 'accomplice', '-c', 'user.name=a', '-c', 'user.email=a@example.org']
  await git(...accomplice, 'add', '.')
  await git(...accomplice, 'commit', '--quiet', '--message', 'Links')
  await git('-C', 'accomplice', 'push', '--quiet', 'origin', 'main')
  host.script((response, { path }) => {
    const github = { url: host.url, api_url: `${host.url}/api/v3`, token_url: `${host.url}/token` }
    const answer = {
      '/token': { token: 'token', login: 'agent_1' },
      '/api/config/public': { config: { github } },
      '/api/agents/me': { agent: { id: 'agent_1', active_claims: [] } },
      '/api/bounties/bnt_1': { bounty },
      '/api/projects/proj_1': { project: { id: 'proj_1', status: 'active', repo_url: repoUrl() } },
    }[path]
    const pulls = path.includes('state=open') ? [] : { html_url: 'https://a.example/pull/1' }
    json(200, answer ?? pulls)(response, host.received.at(-1) as never)
  })
})
afterEach(async () => {
  expect(await readFile(join(folder, 'home/.bashrc'), 'utf8')).toBe('mine\n')
  await expect(lstat(join(folder, 'home/new.md'))).rejects.toThrow('ENOENT')
  await rm(folder, { recursive: true })
})

const git = async (...args: string[]) => (await run('git', args, { cwd: folder })).stdout
const repoUrl = () => pathToFileURL(join(folder, 'repository')).href
/** Kind and content of the file that was pushed. */
async function pushed(): Promise<string[]> {
  const [kind = ''] = (await git('-C', 'repository', 'ls-tree', 'agent_1/bnt_1', 'bnt_1.md')).split(' ')
  return [kind, await git('-C', 'repository', 'show', 'agent_1/bnt_1:bnt_1.md')]
}

const market = () => new Marketplace({ baseUrl: host.url, apiKey: 'bmk_1' })

test('deliver of the SDK', async () => {
  const task = { id: 'submit:bnt_1', bounty_id: 'bnt_1', submission_id: null }
  const work = (clone: string) => writeFile(join(clone, 'bnt_1.md'), '# An own title\n')
  const left = await mkdtemp(join(tmpdir(), 'work-agent_1-bnt_1-'))
  expect(await deliver(market(), task, work)).toBe('https://a.example/pull/1')
  await expect(lstat(left)).rejects.toThrow('ENOENT')
  expect(await pushed()).toEqual(['100644', '# An own title\n'])
  const [pull] = host.received.filter(({ method, path }) => method === 'POST' && path.endsWith('/pulls'))
  expect(pull?.body).toMatchObject({ base: 'main', head: expect.stringMatching(/agent_1\/bnt_1$/) })
  // After a crash the work is not done again.
  const again = () => Promise.reject(new Error('done again'))
  await deliver(market(), task, again)
  await expect(deliver(market(), { ...task, submission_id: 'sub_1' }, again)).rejects.toThrow('done again')
})

test('the other examples in TypeScript', async () => {
  await openPullRequest(market(), { repoUrl: repoUrl(), bountyId: 'bnt_1' })
  expect(await pushed()).toEqual(['100644', 'The work goes here.\n'])
})

test('a folder that is a link gets no files, and a link that nobody changed stays one', async () => {
  const account = await logIn(market())
  const clone = join(folder, 'clone')
  await account.git(folder, 'clone', '--quiet', repoUrl(), clone)
  await expect(writeFile(join(clone, 'docs/new.md'), 'x')).rejects.toThrow('ENOTDIR')
  await writeFile(join(clone, 'own.md'), 'x')
  await commit(account, clone, 'Work')
  expect(await account.git(clone, 'ls-tree', 'HEAD', 'docs')).toMatch(/^120000/)
})

test('a clone runs no hooks, and keeps no token', async () => {
  await mkdir(join(folder, 'templates/hooks'), { recursive: true })
  const hook = `#!/bin/sh\ntouch ${join(folder, 'hooked')}\n`
  for (const name of ['post-checkout', 'pre-commit', 'pre-push'])
    await writeFile(join(folder, 'templates/hooks', name), hook, { mode: 0o755 })
  vi.stubEnv('GIT_TEMPLATE_DIR', join(folder, 'templates'))
  const account = await logIn(market())
  const clone = join(folder, 'clone')
  await account.git(folder, 'clone', '--quiet', '--template', join(folder, 'templates'), repoUrl(), clone)
  await writeFile(join(clone, 'own.md'), 'x')
  await commit(account, clone, 'Work')
  await account.git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/agent_1/own')
  vi.unstubAllEnvs()
  await expect(lstat(join(folder, 'hooked'))).rejects.toThrow('ENOENT')
  const config = await readFile(join(clone, '.git/config'), 'utf8')
  expect(config).not.toMatch(/extraHeader|Authorization|token/i)
})

test('at GitHub it pushes to the fork of the account, with its token alone', async () => {
  await git('clone', '--quiet', '--bare', 'repository', 'fork')
  const fork = pathToFileURL(join(folder, 'fork')).href
  host.script((response, { path }) => {
    const github = { url: 'https://git.example', api_url: `${host.url}/api/v3`, token_url: null }
    const answer = {
      '/api/config/public': { config: { github } },
      '/api/agents/me': { agent: { id: 'agent_1', active_claims: [] } },
      '/api/bounties/bnt_1': { bounty },
      '/api/projects/proj_1': { project: { id: 'proj_1', status: 'active', repo_url: repoUrl() } },
      '/api/v3/user': { login: 'ada' },
      [`/api/v3/repos${new URL(repoUrl()).pathname}/forks`]: { clone_url: fork },
    }[path]
    const pulls = path.includes('state=open') ? [] : { html_url: 'https://a.example/pull/1' }
    json(200, answer ?? pulls)(response, host.received.at(-1) as never)
  })
  const task = { id: 'submit:bnt_1', bounty_id: 'bnt_1', submission_id: null }
  await expect(deliver(market(), task, async () => undefined)).rejects.toThrow('githubToken must be')
  const work = (clone: string) => writeFile(join(clone, 'bnt_1.md'), 'x')
  await deliver(market(), task, work, { githubToken: 'ghp_1' })
  expect(await git('-C', 'fork', 'show', 'agent_1/bnt_1:bnt_1.md')).toBe('x')
  const sent = host.received.filter(({ path }) => path.startsWith('/api/v3/'))
  expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ghp_1']))
})

test('lifecycle.py', { tags: 'python' }, async () => {
  const push = `import sys
sys.dont_write_bytecode = True
sys.path.insert(0, 'examples')
from support.code_host import CodeHost
host = CodeHost(sys.argv[1] + '/repository', sys.argv[1], 'bmk_1')
host.push('agent_1/bnt_1', {'bnt_1.md': 'The work'}, 'Work')
host.push('agent_1/bnt_2', {'docs/new.md': 'x'}, 'Work')`
  // Git speaks its own protocols: it takes the repository from the disk.
  const config = join(folder, 'gitconfig')
  await writeFile(config, `[url "${pathToFileURL(folder).href}/"]\n  insteadOf = ${host.url}/\n`)
  const env = { ...process.env, GIT_CONFIG_GLOBAL: config }
  const failed = await run('python3', ['-c', push, host.url], { cwd: root, env }).catch((error) => error)
  expect(failed.stderr).toContain('NotADirectoryError')
  expect(await pushed()).toEqual(['100644', 'The work'])
})
