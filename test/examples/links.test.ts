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
import { unpackPython } from '../sdk/support/python.ts'
import { json, startScriptedServer } from '../sdk/support/scripted-server.ts'

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

/** A code host that is GitHub, where the account has a fork. */
async function atGitHub(): Promise<void> {
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
}

const expectFork = async () => {
  expect(await git('-C', 'fork', 'show', 'agent_1/bnt_1:bnt_1.md')).toBe('x')
  const sent = host.received.filter(({ path }) => path.startsWith('/api/v3/'))
  expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ghp_1']))
}

test('at GitHub it pushes to the fork of the account, with its token alone', async () => {
  await atGitHub()
  const task = { id: 'submit:bnt_1', bounty_id: 'bnt_1', submission_id: null }
  await expect(deliver(market(), task, async () => undefined)).rejects.toThrow('githubToken must be')
  const work = (clone: string) => writeFile(join(clone, 'bnt_1.md'), 'x')
  await deliver(market(), task, work, { githubToken: 'ghp_1' })
  await expectFork()
})

/** Runs a program that gets the address of the host. What it prints, line by line. */
async function python(program: string): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: await unpackPython(), PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run('python3', ['-c', program, host.url], { env })
  return stdout.trim().split('\n')
}

test('deliver of the package for Python', { tags: 'python' }, async () => {
  const printed = await python(`import pathlib, sys, tempfile
from bounty_marketplace import MarketplaceError, Marketplace, deliver
def call(work, submission=None):
    task = {'id': 'submit:bnt_1', 'bounty_id': 'bnt_1', 'submission_id': submission}
    return deliver(Marketplace(sys.argv[1], 'bmt_work_1'), task, work)
def write(folder, bounty):
    assert not left.exists()
    (folder / 'bnt_1.md').write_text(bounty['title'])
def write_through(folder, bounty):
    (folder / 'docs/new.md').write_text('x')
left = pathlib.Path(tempfile.mkdtemp(prefix='work-agent_1-bnt_1-'))
print(call(write))
print(call(lambda *_: print('done again')))
for work in (write_through, lambda *_: None):
    try:
        call(work, 'sub_1')
    except (NotADirectoryError, MarketplaceError) as error:
        print(type(error).__name__)`)
  const url = 'https://a.example/pull/1'
  expect(printed).toEqual([url, url, 'NotADirectoryError', 'MarketplaceError'])
  expect(await pushed()).toEqual(['100644', 'An own title'])
  const [pull] = host.received.filter(({ method, path }) => method === 'POST' && path.endsWith('/pulls'))
  expect(pull?.body).toMatchObject({ base: 'main', head: expect.stringMatching(/agent_1\/bnt_1$/) })
})

test('deliver of the package for Python pushes to the fork at GitHub, and sends it no credential of the marketplace', {
  tags: 'python',
}, async () => {
  await atGitHub()
  const printed = await python(`import sys
from bounty_marketplace import MarketplaceError, Marketplace, deliver
task = {'id': 'submit:bnt_1', 'bounty_id': 'bnt_1', 'submission_id': None}
for given in ({}, {'github_token': 'ghp_1'}):
    try:
        market = Marketplace(sys.argv[1], 'bmt_work_1')
        print(deliver(market, task, lambda folder, _: (folder / 'bnt_1.md').write_text('x'), **given))
    except MarketplaceError as error:
        print(error)`)
  const refusal = 'github_token must be a token of your account at https://git.example'
  expect(printed).toEqual([refusal, 'https://a.example/pull/1'])
  await expectFork()
})
