import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestClient, http, publicActions } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Embedded, startEmbedded } from '../../server/embedded/index.ts'
import { isAlive, listProcesses } from '../../server/embedded/processes.ts'
import { until } from '../support/until.ts'
import { otherUser } from './other-user.ts'
import { query } from './postgres/support.ts'
import { recorder, runService, spawnService, temporaryDirectory } from './support.ts'

const everything = { database: true, chain: true, github: true }
const options = { need: everything, organization: 'acme', ports: { chain: 0, github: 0 } }

async function start(dataDir: string, need = everything) {
  const { lines, log } = recorder()
  const embedded = await startEmbedded({ ...options, dataDir, need, log })
  let running = true
  const stop = async () => {
    if (running) await embedded.stop()
    running = false
  }
  onTestFinished(stop)
  return { ...embedded, stop, lines }
}

async function processesOf(dataDir: string): Promise<number[]> {
  const chain = (await listProcesses())
    .filter(({ command }) => command.includes(dataDir))
    .map(({ pid }) => pid)
  const file = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const server = Number(file.split('\n')[0])
  // The server's command line names the folder too, unless root had to give it another one.
  const candidates = [...new Set([...chain, ...(server ? [server] : [])])].filter(
    (pid) => pid !== process.pid,
  )
  const alive = await Promise.all(candidates.map(isAlive))
  return candidates.filter((_, index) => alive[index])
}

function chainClient(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
}

function callGitHub({ github }: Pick<Embedded, 'github'>, path: string, init: RequestInit = {}) {
  return fetch(`${github!.apiUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${github!.token}`, 'content-type': 'application/json' },
  })
}

describe('all services', () => {
  test('start with a log line each, and leave no process behind', { tags: 'git' }, async () => {
    const dataDir = await temporaryDirectory()
    const embedded = await start(dataDir)
    expect(embedded.lines.map((line) => line.replace(/\(\d+ ms\)/, '(… ms)')).sort()).toEqual([
      'Chain is up (… ms)',
      'GitHub stand-in is up (… ms)',
      'Postgres is up (… ms)',
    ])
    expect(await query(embedded.database!.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await chainClient(embedded.chain!.rpcUrl).getChainId()).toBe(embedded.chain!.chainId)
    expect((await callGitHub(embedded, '/repos/acme/none')).status).toBe(404)
    expect(await processesOf(dataDir)).toHaveLength(2)
    await embedded.stop()
    expect(await processesOf(dataDir)).toEqual([])
  })

  test('keep their data and addresses when everything is killed', async () => {
    const dataDir = await temporaryDirectory()
    const first = await runService<Embedded>('embedded', { ...options, dataDir })
    await query(first.value.database!.url, 'create table kept as select 42 as answer')
    await callGitHub(first.value, '/orgs/acme/repos', { method: 'POST', body: '{"name":"kept"}' })
    for (const pid of await processesOf(dataDir)) process.kill(pid, 'SIGKILL')
    await first.kill()

    const second = await start(dataDir)
    expect(await query(second.database!.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect((await callGitHub(second, '/repos/acme/kept')).status).toBe(200)
    const { chain, github, secrets } = first.value
    expect({
      chain: second.chain,
      github: JSON.parse(JSON.stringify(second.github)),
      secrets: second.secrets,
    }).toEqual({
      chain,
      github,
      secrets,
    })
  })

  test('end with Ctrl-C, each of them once', async () => {
    const dataDir = await temporaryDirectory()
    const service = await runService<Embedded>('embedded', { ...options, dataDir })
    process.kill(-service.process.pid!, 'SIGINT')
    expect(await service.line()).toBe('stopped')
    await service.exited
    expect(await processesOf(dataDir)).toEqual([])
  })
})

test('an exit without stop() leaves no process behind', async () => {
  const dataDir = await temporaryDirectory()
  const service = await runService<Embedded>('embedded', { ...options, dataDir })
  service.process.kill('SIGTERM')
  await service.exited
  await until(async () => (await processesOf(dataDir)).length === 0)
})

test('only needed services start', async () => {
  const dataDir = await temporaryDirectory()
  const embedded = await start(dataDir, { database: false, chain: false, github: true })
  expect(embedded).toMatchObject({ database: undefined, chain: undefined, github: { organization: 'acme' } })
  expect(await processesOf(dataDir)).toEqual([])
})

describe('a second process on the same data', () => {
  const need = { database: false, chain: false, github: true }

  test('gets one clear line, and the first continues', async () => {
    const dataDir = await temporaryDirectory()
    const first = await start(dataDir, need)
    const second = await spawnService('embedded', { ...options, need, dataDir })
    expect(JSON.parse(await second.line()).error).toBe(
      `EmbeddedError: Another process already runs on ${dataDir}: stop it, or set DATA_DIR to another folder`,
    )
    expect((await callGitHub(first, '/repos/acme/none')).status).toBe(404)
  })

  test('may start after the first stopped, or was killed', async () => {
    const dataDir = await temporaryDirectory()
    const first = await start(dataDir, need)
    await first.stop()
    const second = await runService<Embedded>('embedded', { ...options, need, dataDir })
    await second.kill()
    const third = await start(dataDir, need)
    expect(JSON.stringify(third.github)).toBe(JSON.stringify(first.github))
  })

  test('of several concurrent starts exactly one succeeds', async () => {
    const dataDir = await temporaryDirectory()
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => start(dataDir, need)))
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(4).fill('rejected')])
  })
})

test('when one service fails, its error is reported and the others are stopped', async () => {
  const dataDir = await temporaryDirectory()
  const broken = await start(dataDir, { database: false, chain: false, github: true })
  await broken.stop()
  await writeFile(join(dataDir, 'github', 'journal.jsonl'), 'nonsense\n')
  await expect(start(dataDir)).rejects.toThrow(/journal\.jsonl is damaged in line 1/)
  expect(await processesOf(dataDir)).toEqual([])
})

test('a data folder that cannot be used is one clear line', async () => {
  const file = join(await temporaryDirectory(), 'file')
  await writeFile(file, '')
  await expect(start(join(file, 'data'))).rejects.toThrow(
    /data folder .* cannot be used \(ENOTDIR\): set DATA_DIR/,
  )
})

test.each(['/proc/x', '/proc/x/y', '/proc', '/dev/full'])(
  'the data folder %s, where nothing can be created, is one clear line',
  { tags: 'linux' },
  async (dataDir) => {
    await expect(start(dataDir)).rejects.toThrow(
      /^The data folder \S+ cannot be used \((ENOENT|ENOTDIR|EACCES|EPERM|EEXIST)\): set DATA_DIR$/,
    )
  },
)

test("another account's data folder is one clear line", { tags: 'root' }, async ({ skip }) => {
  const dataDir = await temporaryDirectory()
  const service = await spawnService('embedded', { ...options, dataDir }, await otherUser(skip))
  expect(JSON.parse(await service.line()).error).toBe(
    `EmbeddedError: The data folder ${dataDir} cannot be used (EACCES): set DATA_DIR`,
  )
})
