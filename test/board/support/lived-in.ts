import { parseEther } from 'viem'
import { chainLogOf } from '../../money/follower/support/chain-log.ts'
import {
  type CodeHostProxy,
  createCodeHostProxy,
  type HostRequest,
  type HostResponse,
} from '../../support/code-host-proxy.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import type { ActiveProject, TestAgent } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'
import { everyText, type HostileName, hostileTexts, longWord, withMarks } from './hostile-texts.ts'

/** A market in which people have worked, and one project whose every text is hostile. */
export type LivedInMarket = Awaited<ReturnType<typeof createLivedInMarket>>

/** Prices of 20,000 tokens and more differ enough to be seen in a chart. */
const trades = ['40000', '25000', '-15000', '60000', '-5000', '30000']

/** Brings a market to life through the API; each step that may not fail throws. */
export async function createLivedInMarket() {
  const base = await createTestMarket({ engines: false })
  const host = await createCodeHostProxy(base.github.apiUrl)
  host.respond = (request) => (isRead(request) ? undefined : passOn(base.github.apiUrl, request))
  const { databaseUrl, chain, githubToken } = base
  const market = await createTestMarket({
    // A busy machine takes its time.
    codeHostMs: 20_000,
    sharing: { databaseUrl, chain, githubToken, github: { ...base.github, apiUrl: host.apiUrl } },
    settings: { CHAIN_EXPLORER_URL: 'https://explorer.example' },
    followMs: 50,
    databaseLoops: true,
  })
  const steps = stepsOn(market)
  const [usual, hostile] = await Promise.all([usualProject(steps, host), hostileProject(steps, host)])
  await steps.settled()
  const { open, hard } = usual.bounties
  const tags = ['parser', 'good-first-bounty', 'five', 'tags', 'x'.repeat(30)]
  await market.db.updateTable('bounties').set({ tags }).where('id', 'in', [open, hard]).execute()
  await lockDollars(market, [open, usual.bounties.inReview, hostile.inReview])
  return { market, ...usual, hostile }
}

/** Stores dollars that are locked, as the longest amount that there can be. */
async function lockDollars({ db }: TestMarket, bounties: string[]): Promise<void> {
  const lock = { locked_until: new Date(Date.now() + 180 * 86_400_000), fund_tx: `0x${'7'.repeat(64)}` }
  for (const bounty_id of bounties)
    await createRows(db).deposit({ bounty_id, amount: '99999999999999999', status: 'locked', ...lock })
}

/** Whether a request reads a pull request or its checks, which the proxy reports. */
const isRead = ({ method, path }: HostRequest) => method === 'GET' && /\/(pulls|commits)\//.test(path)

async function passOn(target: string, { method, path, headers, body }: HostRequest): Promise<HostResponse> {
  const { authorization = '' } = headers
  const sent = { authorization, 'content-type': 'application/json' }
  const response = await fetch(target + path, { method, headers: sent, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

type Steps = ReturnType<typeof stepsOn>

function stepsOn(market: TestMarket) {
  const { api, chain, db } = market
  const { sell, followed } = chainLogOf(market)

  async function succeed(method: string, path: string, key: string, body?: unknown) {
    const response = await api(method, path, { key, body })
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }

  const act = (id: string, action: string, by: TestAgent, body?: unknown) =>
    succeed('POST', `/api/bounties/${id}/${action}`, by.key, body)

  return {
    act,
    register: (name: string) => market.register({ name }),
    async project(founder: TestAgent, fields: { name: string; description: string; token_symbol: string }) {
      const body = { token_supply: 1_000_000, ...fields }
      return (await succeed('POST', '/api/projects', founder.key, body)).project.id as string
    },
    async activate(id: string, founder: TestAgent): Promise<ActiveProject> {
      const { project } = await succeed('POST', `/api/projects/${id}/activate`, founder.key)
      return { ...project, founder }
    },
    async post(
      project: ActiveProject,
      fields: { title: string; description: string; difficulty?: string },
      reward_amount = 100,
    ) {
      const path = `/api/projects/${project.id}/bounties`
      const { bounty } = await succeed('POST', path, project.founder.key, { reward_amount, ...fields })
      return bounty.id as string
    },
    /** Claims and submits; `prepare` gets the address of the pull request before it is submitted. */
    async submit(
      { project, id, by }: { project: ActiveProject; id: string; by: TestAgent },
      prepare: (prUrl: string) => void = () => undefined,
    ) {
      await act(id, 'claim', by)
      const number = (await market.pullRequest(project)).split('/').at(-1)
      const pr_url = `${project.repo_url}/pull/${number}`
      prepare(pr_url)
      const { submission } = await act(id, 'submit', by, { pr_url })
      return submission.id as string
    },
    retract: (submission: string, by: TestAgent) =>
      succeed('POST', `/api/submissions/${submission}/retract`, by.key),
    /** Buys and sells (negative amounts) on the curve of a project, one after the other. */
    async trade({ curve_address }: ActiveProject, amounts: readonly string[]) {
      const account = await chain.fundedAccount()
      for (const amount of amounts) {
        if (amount.startsWith('-')) await sell(account, curve_address, parseEther(amount.slice(1)))
        else await chain.buy(account, curve_address, parseEther(amount))
      }
      await followed(curve_address, amounts.length)
    },
    /** Waits until every payout is confirmed and every entry of the log has its place. */
    settled: () =>
      until(async () => {
        const approving = db.selectFrom('submissions').where('status', '=', 'approving').select('id')
        return (await approving.execute()).length === 0
      }),
  }
}

const words = 'It is done when the test passes on both supported versions and the page says how to use it.'

async function usualProject(steps: Steps, host: CodeHostProxy) {
  const { register, project: propose, activate, post, submit, act, retract, trade } = steps
  const [founder, other, ...contributors] = await Promise.all(
    ['Ada', 'Noor', 'Grace', 'Linus', 'Barbara'].map(register),
  )
  const [ada, noor, grace, linus, barbara] = [founder, other, ...contributors] as [
    TestAgent,
    TestAgent,
    TestAgent,
    TestAgent,
    TestAgent,
  ]
  const [id, proposed] = await Promise.all([
    propose(ada, {
      name: 'Calculator',
      description: 'A calculator that shows each step, as a library and on the command line.',
      token_symbol: 'CALC',
    }),
    propose(noor, { name: 'Weather', description: 'Forecasts from open data.', token_symbol: 'RAIN' }),
  ])
  const project = await activate(id, ada)
  const titles = [
    ['Add division with remainder', 'medium', 250],
    ['Prove the parser total', 'hard', 1500],
    ['Print numbers in scientific notation', 'easy', 80],
    ['Read expressions from a file', 'medium', 200],
    ['Explain each step in words', 'medium', 400],
    ['Support complex numbers', 'extreme', 5000],
    ['Plot a function in the terminal', 'hard', 900],
    ['Parse hexadecimal numbers', 'easy', 60],
    ['Round half to even', 'easy', 50],
    ['Ship as WebAssembly', 'hard', 1200],
  ] as const
  const ids: string[] = []
  for (const [title, difficulty, reward] of titles)
    ids.push(await post(project, { title, description: `${title}. ${words}`, difficulty }, reward))
  const [open, hard, claimed, inReview, changesRequested, rejected, retracted, done, cancelled, alsoDone] =
    ids as [string, string, string, string, string, string, string, string, string, string]
  const reported = (prUrl: string) => {
    host.pulls.set(new URL(prUrl).pathname, {
      user: { id: 7, login: 'grace' },
      additions: 120,
      deletions: 8,
      changed_files: 4,
    })
  }
  // An agent has one claim on a project at a time.
  const pay = async (bounty: string, by: TestAgent) => {
    const submission = await submit({ project, id: bounty, by })
    await act(bounty, 'approve', ada, {})
    return submission
  }
  let paid = ''
  await Promise.all([
    act(claimed, 'claim', noor),
    act(cancelled, 'cancel', ada),
    (async () => {
      paid = await pay(done, grace)
      await submit({ project, id: inReview, by: grace }, reported)
      await act(inReview, 'comments', linus, { text: 'Does it accept week 53?' })
      await act(inReview, 'comments', grace, { text: 'Yes.' })
    })(),
    (async () => {
      await submit({ project, id: changesRequested, by: linus })
      await act(changesRequested, 'request-changes', ada, { review_notes: 'The second step is missing.' })
    })(),
    (async () => {
      await submit({ project, id: rejected, by: barbara })
      await act(rejected, 'reject', ada, { review_notes: 'It copies another library.' })
      await retract(await submit({ project, id: retracted, by: barbara }), barbara)
      await pay(alsoDone, barbara)
    })(),
    trade(project, trades),
  ])
  return {
    project,
    /** The submission that was paid for the bounty `done`. */
    paid,
    /** A project that has not been activated. */
    proposed,
    /** The first of them has done the most work. */
    contributors: [grace, linus, barbara],
    bounties: { open, hard, claimed, inReview, changesRequested, rejected, retracted, done, cancelled },
  }
}

async function hostileProject(steps: Steps, host: CodeHostProxy) {
  const { register, project: propose, activate, post, submit, act } = steps
  const { script, title, link, override, javascript, unbalanced, image, rtl } = hostileTexts
  const texts = {
    projectName: `${rtl} ${title} ${unbalanced}`,
    projectDescription: everyText(1900),
    founderName: `${script} ${link} ${unbalanced}`,
    claimantName: `${image} ${hostileTexts.label} ${javascript} ${override}`,
    /** A letter with as many marks as a name can have. */
    painterName: withMarks(190),
    inReviewDescription: everyText(2000),
    reviewNotes: everyText(5000),
    checkName: `${script} ${hostileTexts.picture}`,
    login: `<b id=brought>${javascript}</b>`,
  }
  const [founder, claimant, painter] = (await Promise.all(
    [texts.founderName, texts.claimantName, texts.painterName].map(register),
  )) as [TestAgent, TestAgent, TestAgent]
  const proposal = { name: texts.projectName, description: texts.projectDescription, token_symbol: 'ETH' }
  const project = await activate(await propose(founder, proposal), founder)
  const posted = await Promise.all(
    Object.entries(hostileTexts).map(async ([name, text]) => [
      name,
      await post(project, { title: text, description: text }),
    ]),
  )
  const marks = await post(project, { title: withMarks(190), description: withMarks(1000) })
  const word = await post(project, { title: longWord(200), description: longWord(2000) })
  const inReview = await post(project, { title: rtl, description: texts.inReviewDescription })
  const rejected = await post(project, { title: image, description: script })
  const done = await post(project, { title: hostileTexts.cell, description: title })
  await submit({ project, id: done, by: painter })
  await act(done, 'approve', founder, {})
  await submit({ project, id: rejected, by: claimant })
  await act(rejected, 'reject', founder, { review_notes: texts.reviewNotes })
  await submit({ project, id: inReview, by: claimant }, (prUrl) => {
    const sha = 'e'.repeat(40)
    host.pulls.set(new URL(prUrl).pathname, { head: { sha }, user: { id: 6, login: texts.login } })
    host.checks.set(sha, { runs: [[texts.checkName, 'completed', 'failure']] })
  })
  await act(inReview, 'comments', claimant, { text: texts.reviewNotes })
  return {
    project: project.id,
    founder: founder.id,
    claimant: claimant.id,
    painter: painter.id,
    /** A bounty for each text, by its name. */
    bounties: Object.fromEntries(posted) as Record<HostileName, string>,
    /** Bounties with a thousand marks, with a word of a whole description, in review, rejected, and done by the painter. */
    marks,
    word,
    inReview,
    rejected,
    done,
    texts,
  }
}
