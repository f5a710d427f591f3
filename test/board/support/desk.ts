import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { git } from '../../embedded/github/git-client.ts'
import { launchBrowser } from '../../http/pages/browser.ts'
import { createTestMarket } from '../../support/market.ts'
import type { TestAgent, TestBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { createVisitor } from './visitor.ts'

/** A bounty that waits for its review. */
export interface Work {
  id: string
  title: string
  /** The commit that was submitted. */
  head: string
  submissionId: string
  pr_url: string
  contributor: TestAgent
}

/** The desk of the tests of a file, and a browser at it. Both start only if one of the tests runs. */
export function useDesk() {
  const started = {} as { desk: Awaited<ReturnType<typeof createDeskMarket>>; browser: Browser }
  beforeAll(async () => {
    started.desk = await createDeskMarket()
    started.browser = await launchBrowser()
  })
  afterAll(async () => {
    await started.browser?.close()
    await started.desk?.close()
  })
  /** @param at path behind `/desk` */
  const atDesk = (key?: string, at?: string) => sitDown(started.browser, started.desk.market.baseUrl, key, at)
  return { scene: () => started.desk, atDesk }
}

/** A market with real git, in which agents submit and a founder sits at the desk. */
export async function createDeskMarket() {
  const market = await createTestMarket({ git: true, databaseLoops: true })
  const project = await market.activeProject({ name: 'Calculator' })
  const { founder } = project
  const folder = await mkdtemp(join(tmpdir(), 'board-desk-'))

  async function run(args: string[], token?: string): Promise<string> {
    const { code, output } = await git(folder, args, token)
    if (code !== 0) throw new Error(output)
    return output.trim()
  }
  await run(['clone', '-q', project.repo_url, '.'])
  await writeFile(join(folder, 'division.md'), 'Division')
  await run(['add', '.'])
  await run(['commit', '-q', '-m', 'Division'])
  const division = await run(['rev-parse', 'HEAD'])
  const { origin, pathname } = new URL(project.repo_url)

  /** Pushes a commit to a branch of an agent. Returns the agent's token. */
  async function push({ key }: TestAgent, branch: string, commit: string): Promise<string> {
    const headers = { authorization: `Bearer ${key}` }
    const asked = await fetch(`${origin}/token`, { method: 'POST', headers })
    const { token } = (await asked.json()) as { token: string }
    await run(['push', '-q', 'origin', `${commit}:refs/heads/${branch}`], token)
    return token
  }

  const commitOn = (parent: string, message: string) =>
    run(['commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message])

  async function pullRequest(agent: TestAgent, bounty: string, commit: string): Promise<string> {
    const head = branchFor(agent.id, bounty)
    const token = await push(agent, head, commit)
    const opened = await fetch(`${market.github.apiUrl}/repos${pathname}/pulls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Work',
        head,
        base: 'main',
      }),
    })
    const { html_url } = (await opened.json()) as { html_url: string }
    return html_url
  }

  async function submit(
    { id, contributor }: Pick<Work, 'id' | 'contributor'>,
    pr_url: string,
  ): Promise<string> {
    const { key } = contributor
    const { status, body } = await market.api('POST', `/api/bounties/${id}/submit`, { key, body: { pr_url } })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.submission.id
  }

  const submission = async ({ submissionId }: Work) =>
    (await market.api('GET', `/api/submissions/${submissionId}`, { key: founder.key })).body.submission
  const pull = async ({ submissionId }: Work) =>
    (await market.api('GET', `/api/submissions/${submissionId}/pull-request`, { key: founder.key })).body
      .pull_request

  return {
    market,
    project,
    founder,
    submit,
    submission,
    pull,
    /** A bounty of its own title with a submission of its own commit. `prepare` gets the bounty before it is claimed. */
    async submitted(
      title: string,
      description = 'Without **remainder**.',
      prepare?: (bounty: TestBounty) => Promise<void>,
    ): Promise<Work> {
      const head = await commitOn(division, title)
      const [bounty, contributor] = await Promise.all([
        market.openBounty({ project, title, description }),
        market.register({ name: `Author of ${title}` }),
      ])
      const { id } = bounty
      await prepare?.(bounty)
      await market.api('POST', `/api/bounties/${id}/claim`, { key: contributor.key })
      const pr_url = await pullRequest(contributor, id, head)
      const submissionId = await submit({ id, contributor }, pr_url)
      return { id, title, head, submissionId, pr_url, contributor }
    },
    /** The contributor adds a commit, which the service knows once this returns. */
    async pushMore(work: Work): Promise<string> {
      const commit = await commitOn(work.head, `More of ${work.title}`)
      await push(work.contributor, branchFor(work.contributor.id, work.id), commit)
      await until(async () => (await pull(work)).head_sha === commit)
      return commit
    },
    status: async ({ id }: Pick<Work, 'id'>) =>
      (await market.api('GET', `/api/bounties/${id}`)).body.bounty.status as string,
    balance: ({ contributor }: Work) =>
      market.chain.balanceOf(project.token_address, contributor.wallet_address as string),
    async close() {
      await rm(folder, { recursive: true })
      await market.close()
    },
  }
}

/** Somebody at the desk, with the key entered if there is one. */
export async function sitDown(browser: Browser, baseUrl: string, key?: string, at = '') {
  const visitor = await createVisitor(browser, baseUrl)
  const { page } = visitor
  const enter = async (secret: string) => {
    await page.getByLabel('API key').fill(secret)
    await page.keyboard.press('Enter')
  }
  await visitor.open(`/desk${at}`)
  const ready = () => page.locator('#desk :is(.entries, .empty, form)').first().waitFor()
  if (key !== undefined) {
    await enter(key)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await ready()
  }
  const rowOf = ({ title }: Pick<Work, 'title'>) => page.locator('.inbox .entries > li', { hasText: title })
  return {
    ...visitor,
    enter,
    /** What the desk has asked the API to do: path and body. */
    sent: (() => {
      const all: [string, unknown][] = []
      page.on('request', (request) => {
        if (request.method() === 'POST')
          all.push([new URL(request.url()).pathname.split('/').at(-1) ?? '', request.postDataJSON()])
      })
      return all
    })(),
    /** Presses a button of what is open once it can be pressed. */
    press: (name: string) => page.locator('.subject').getByRole('button', { name, exact: true }).click(),
    /** What is open says this. */
    said: (text: string) => page.locator('.subject').getByText(text).first().waitFor(),
    /** Waits until the inbox says what is to be done about a bounty, or until nothing is. */
    waits: (work: Pick<Work, 'title'>, what?: string) =>
      what === undefined
        ? rowOf(work).waitFor({ state: 'detached' })
        : rowOf(work).locator('.badge', { hasText: what }).waitFor(),
    /** Opens a bounty of the inbox. */
    async unfold(work: Pick<Work, 'title'>) {
      await rowOf(work).getByRole('link').first().click()
      await page.locator('.subject :is(.actions button, .prose)').first().waitFor()
    },
  }
}
