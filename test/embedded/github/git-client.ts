import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, vi } from 'vitest'
import { startServer } from '../../support/server.ts'
import { type Finish, temporaryDirectory } from '../support.ts'
import { newRepository, start } from './support.ts'

/** What a git command wrote, and how it ended. */
export interface GitResult {
  code: number
  output: string
}

/** Asks for the token in the environment, because every user of a machine can read arguments. */
const credentials = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'credential.helper',
  GIT_CONFIG_VALUE_0: '!f() { echo username=x; echo "password=$TOKEN"; }; f',
}

/** Runs the machine's git as an agent would, without anybody's configuration. */
export function git(cwd: string, args: string[], token?: string): Promise<GitResult> {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.com' }
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    ...(token !== undefined && { ...credentials, TOKEN: token }),
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    ),
  }
  return new Promise((resolve) => {
    execFile('git', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}

/** Runs git commands that have to succeed; returns what the last one wrote. */
export async function gitAll(cwd: string, ...commands: string[][]): Promise<string> {
  let last = ''
  for (const command of commands) {
    const { code, output } = await git(cwd, command)
    if (code !== 0) throw new Error(`git ${command.join(' ')}: ${output}`)
    last = output.trim()
  }
  return last
}

export const platformToken = 'the-platform'
/** API keys that the marketplace below knows, and whose they are. */
export const keys = { 'key-ada': 'agent_ada', 'key-bob': 'agent_bob' }
/** Access tokens of the first. */
const tokens = { bmt_work_ada: 'agent_ada', bmt_read_ada: 'agent_ada' }

/** A service that knows two agents and stores the deliveries it gets. */
export async function startMarketplace(finish: Finish = onTestFinished) {
  const deliveries: { event: string; headers: Record<string, unknown>; text: string }[] = []
  const ended = new Set<string>()
  const asked: string[] = []
  let isLimited = false
  const { url, close } = await startServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.url === '/github/webhook') {
      deliveries.push({ event: String(request.headers['x-github-event']), headers: request.headers, text })
      return response.writeHead(202).end()
    }
    asked.push(String(request.headers.authorization))
    if (isLimited) {
      const error = { code: 'rate_limited', message: 'Too many requests.' }
      return response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify({ error }))
    }
    const id = Object.entries({ ...keys, ...tokens }).find(
      ([key]) => request.headers.authorization === `Bearer ${key}` && !ended.has(key),
    )?.[1]
    const refusal = { error: { code: 'unauthorized', message: 'The API key is unknown.' } }
    return response.writeHead(id ? 200 : 401).end(JSON.stringify(id ? { agent: { id } } : refusal))
  })
  finish(close)
  const limit = () => {
    isLimited = true
  }
  return { url, deliveries, asked, limit, end: (key: string) => void ended.add(key) }
}

export async function requestToken(webUrl: string, apiKey: string) {
  const response = await fetch(`${webUrl}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** A stand-in with git, a repository, and the tokens of two agents. */
export async function startWithGit(options: Parameters<typeof start>[0] = {}) {
  const github = await start({ git: true, token: platformToken, ...options })
  const marketplace = await startMarketplace(options.finish)
  github.connectTo(marketplace.url)
  await github.call('POST', '/orgs/acme/repos', newRepository)
  const [ada = '', bob = ''] = await Promise.all(
    Object.keys(keys).map(async (key) => (await requestToken(github.webUrl, key)).body.token ?? ''),
  )
  const as = (token: string) => (method: string, path: string, body?: unknown) =>
    github.call(method, path, body, { authorization: `Bearer ${token}` })
  const address = `${github.webUrl}/acme/rocket.git`
  const { deliveries } = marketplace
  return { ...github, marketplace, deliveries, ada, bob, asAda: as(ada), asBob: as(bob), address }
}

/** A clone of the repository, with what the agent with that token does in it. */
export async function clone(address: string, token?: string, finish?: Finish) {
  const directory = join(await temporaryDirectory(finish), 'clone')
  await mkdir(directory)
  await gitAll(directory, ['clone', '--quiet', address, '.'])
  const write = async (files: Record<string, string | Buffer>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true })
      await writeFile(join(directory, path), content)
    }
  }
  return {
    directory,
    git: (...args: string[]) => git(directory, args, token),
    gitAll: (...commands: string[][]) => gitAll(directory, ...commands),
    /** Commits the files and returns the commit. */
    async commit(files: Record<string, string | Buffer>, message = 'Change') {
      await write(files)
      return gitAll(directory, ['add', '--all'], ['commit', '--quiet', '-m', message], ['rev-parse', 'HEAD'])
    },
    push: (...refspecs: string[]) => git(directory, ['push', address, ...refspecs], token),
  }
}

export const base = '/repos/acme/rocket'
export const pull = { title: 'Add wings', head: 'agent_ada/wings', base: 'main', body: 'For bnt_1' }

/** An open pull request of agent_ada: a changed README, and a new file. */
export async function startWithPull(finish: Finish = onTestFinished) {
  const host = await startWithGit({ finish })
  const work = await clone(host.address, host.ada, finish)
  const sha = await work.commit(
    { 'README.md': '# rocket\nFlies far\n', 'wings.txt': 'one\ntwo\n' },
    'Add wings',
  )
  expect(await work.push('HEAD:refs/heads/agent_ada/wings')).toMatchObject({ code: 0 })
  const opened = await host.asAda('POST', `${base}/pulls`, pull)
  expect(opened.status).toBe(201)
  return { ...host, work, sha, opened }
}

/** A host whose git writes each call that matches down, and keeps it waiting while the gate is closed. */
export async function startWithGate(pattern: string, what: string) {
  const folder = await temporaryDirectory()
  const { stdout: real } = await promisify(execFile)('sh', ['-c', 'command -v git'])
  const calls = join(folder, 'calls')
  const gate = join(folder, 'gate')
  const wait = `echo "${what}" >> '${calls}'; while [ -e '${gate}' ]; do sleep 0.05; done`
  const wrapper = `#!/bin/sh\ncase "$*" in ${pattern}) ${wait};; esac\nexec '${real.trim()}' "$@"\n`
  await writeFile(join(folder, 'git'), wrapper, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const host = await startWithGit()
  const called = async () =>
    existsSync(calls) ? (await readFile(calls, 'utf8')).trim().split('\n').filter(Boolean) : []
  const close = async () => {
    await rm(calls, { force: true })
    await writeFile(gate, '')
  }
  return { ...host, folder, called, close, open: () => rm(gate) }
}
