import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { git } from '../../embedded/github/git-client.ts'
import { directoryForFile } from '../../embedded/support.ts'
import { cloned, hostTokenOf } from '../../support/claimants.ts'
import { createTestMarket } from '../../support/market.ts'
import type { ActiveProject, TestBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'

/** A market whose code host has git, and a project in a repository of its founder. */
export async function createOwnScene() {
  const market = await createTestMarket({ git: true, databaseLoops: true })
  const folder = await directoryForFile()
  const host = async (token: string, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(market.github.apiUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
    return { status: reply.status, body: text ? (JSON.parse(text) as any) : undefined }
  }
  const proposed = await market.proposedProject()
  const { id, founder } = proposed
  const token = await hostTokenOf(founder, market.github.webUrl)
  const { body: repository } = await host(token, 'POST', '/user/repos', { name: 'boat' })
  const clone = join(folder, 'founder')
  const run = async (...args: string[]) => {
    const { code, output } = await git(folder, args, token)
    expect(code, output).toBe(0)
  }
  await run('clone', '-q', repository.clone_url, clone)
  await mkdir(join(clone, '.github'))
  await writeFile(join(clone, '.github/bounty-market'), `${id}\n`)
  await run('-C', clone, 'add', '.')
  await run('-C', clone, 'commit', '-q', '-m', 'Begin')
  await run('-C', clone, 'push', '-q', 'origin', 'HEAD:refs/heads/main')
  const installs = async (method: 'PUT' | 'DELETE') => {
    // Its last look was more than a minute ago.
    await setRows(market.db, 'projects', { id }, { repository_looked_at: new Date(Date.now() - 3_600_000) })
    const { status } = await host(token, method, '/user/installation/repositories/boat')
    expect(status).toBeLessThan(300)
  }
  await installs('PUT')
  const asFounder = (method: string, path: string, body?: object) =>
    market.api(method, `/api/projects/${id}${path}`, { key: founder.key, body })
  const wished = await asFounder('PUT', '/repository', { full_name: repository.full_name })
  expect(wished.body.repository).toMatchObject({ state: 'ready' })
  const { body } = await asFounder('POST', '/activate')
  const project: ActiveProject = { ...proposed, ...body.project }
  const base = `/repos/${repository.full_name}`

  /** A bounty of the project that an agent with a clone has claimed. */
  async function claimed() {
    const bounty: TestBounty = await market.openBounty({ project })
    const worker = await cloned(market, folder, bounty)
    expect((await worker.act('claim')).status).toBe(200)
    return {
      ...worker,
      /** Opens a pull request and submits it; its number. */
      async submits(): Promise<number> {
        await worker.commit()
        await worker.push(bounty.id)
        const head = branchFor(worker.claimant.id, bounty.id)
        const pull = { title: 'Work', head, base: 'main' }
        const { number } = (await host(worker.token, 'POST', `${base}/pulls`, pull)).body
        const submitted = await worker.act('submit', bounty, { pr_url: `${project.repo_url}/pull/${number}` })
        expect(submitted.status, JSON.stringify(submitted.body)).toBe(201)
        return number
      },
    }
  }
  return {
    market,
    host,
    token,
    base,
    project,
    asFounder,
    installs,
    claimed,
    row: () => readRow(market.db, 'projects', { id }),
    status: async (bounty: { id: string }) =>
      (await market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty.status as string,
  }
}
