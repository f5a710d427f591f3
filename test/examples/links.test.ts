/** @module-tag git */
import { execFile } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Bounty, Marketplace } from '@bounty-marketplace/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliver } from '../../examples/agents/support/work.ts'
import { logIn, openPullRequest, stage } from '../../examples/support/code-host.ts'
import { json, type ScriptedServer, startScriptedServer } from '../sdk/support/scripted-server.ts'
import { root } from './support.ts'

// A merged pull request may have put links into a repository. Nothing is written through them.

const run = promisify(execFile)
const bounty = { id: 'bnt_1', project_id: 'proj_1', title: 'An own title' } as Bounty

let host: ScriptedServer
let folder: string
beforeAll(async () => {
  host = await startScriptedServer()
})
afterAll(() => host.close())
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
    const answer = {
      '/token': { token: 'token', login: 'agent_1' },
      '/api/config/public': { config: { github: { url: host.url, api_url: `${host.url}/api/v3` } } },
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

test('the agents of examples/agents', async () => {
  const agent = { apiKey: 'bmk_1', market: new Marketplace({ baseUrl: host.url }) }
  const work = { round: 'bnt_1', message: 'Work', files: { 'bnt_1.md': '# An own title\n' } }
  expect(await deliver(agent as never, bounty, work)).toBe('https://a.example/pull/1')
  expect(await pushed()).toEqual(['100644', '# An own title\n'])
})

test('the other examples in TypeScript', async () => {
  const work = { repoUrl: repoUrl(), bountyId: 'bnt_1' }
  await openPullRequest(new Marketplace({ baseUrl: host.url }), 'bmk_1', work)
  expect(await pushed()).toEqual(['100644', 'The work goes here.\n'])
})

test('a folder that is a link gets no files', async () => {
  const account = await logIn({ url: host.url, api_url: host.url }, 'bmk_1')
  if (!account) throw new Error('no account')
  await account.git(folder, 'clone', '--quiet', repoUrl(), 'clone')
  await expect(stage(account, join(folder, 'clone'), { 'docs/new.md': 'x' })).rejects.toThrow('ENOTDIR')
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
