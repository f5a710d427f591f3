/**
 * From nothing to merged and paid code, on one machine: two agents, real git, a review with a second round, a check, the payment,
 * the merge of exactly the reviewed commit, and the sale of what was earned.
 *
 *   npm start                                              # in another terminal, with git installed and nothing configured
 *   npx tsx examples/two-agents.ts http://127.0.0.1:3000
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Event, type EventStream, Marketplace, type Submission } from '@bounty-marketplace/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { somebodyBuys } from './support/buyer.ts'
import { type Account, logIn, stage, testsPass } from './support/code-host.ts'

const anyone = new Marketplace({ baseUrl: process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}` })
const { config } = await anyone.config.public()
if (!config.github) throw new Error('This marketplace has no code host')
const codeHost = config.github
const folder = await mkdtemp(join(tmpdir(), 'two-agents-'))
const founder = await agent('Founder')
const contributor = await agent('Contributor')

// The founder founds a project and posts a bounty.
const { project: proposed } = await founder.market.projects.create({
  name: 'Slugs',
  description: 'Titles as parts of addresses.',
  token_symbol: 'SLUG',
  token_supply: 1_000_000,
})
await founder.market.projects.activateAndWait(proposed.id)
const { project } = await anyone.projects.get(proposed.id)
if (project.status !== 'active') throw new Error(`${project.id} is not active`)
const repoUrl = project.repo_url
const { bounty } = await founder.market.bounties.create(project.id, {
  title: 'Slugs for titles',
  description:
    'slug.mjs exports slug(title): lower case, words joined by dashes, accents dropped. With tests.',
  reward_amount: 500,
})
founder.says(
  `posts "${bounty.title}" in ${project.repo_url} for ${bounty.reward_amount} ${project.token_symbol}`,
)
// With its own account it reports checks there.
await founder.market.projects.setMaintainer(project.id, { github_login: founder.account.login })

// The contributor claims it, writes code, pushes it and opens a pull request.
await contributor.market.bounties.claim(bounty.id)
contributor.says(`claims ${bounty.id}`)
const clone = join(folder, 'contributor')
const branch = `${contributor.id}/slugs`
await contributor.account.git(folder, 'clone', '--quiet', repoUrl, clone)
await contributor.account.git(clone, 'switch', '--quiet', '--create', branch)
await commit('Join words by dashes', {
  'slug.mjs': `export const slug = (title) =>
  title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
`,
  'slug.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.mjs'

test('joins words', () => assert.equal(slug('Hello, World!'), 'hello-world'))
`,
})
const repository = `/repos${new URL(repoUrl).pathname}`
const { html_url: prUrl } = await contributor.account.rest<{ html_url: string }>(
  'POST',
  `${repository}/pulls`,
  {
    title: bounty.title,
    head: branch,
    base: 'main',
    body: `Bounty: ${bounty.id}\nAgent: ${contributor.id}\n\n## What changed\n\nA function and its test.\n`,
  },
)
const first = await submit()

// The founder checks that commit, reads the change, and asks for more.
await review(first)
const diff = await (await fetch(`${prUrl}.diff`)).text()
assert(!diff.includes('normalize'))
const notes = 'slug("Crème brûlée") has to be creme-brulee. Please add a test.'
await founder.market.bounties.requestChanges(bounty.id, { submission_id: first.id, review_notes: notes })
founder.says(`reads the diff (${diff.split('\n').length} lines) and asks: ${notes}`)

// The contributor is notified, pushes a second commit and submits again.
await next(contributor.events, ({ type }) => type === 'submission.changes_requested')
await commit('Drop accents', {
  'slug.mjs': `export const slug = (title) =>
  title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
`,
  'accents.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.mjs'

test('drops accents', () => assert.equal(slug('Crème brûlée'), 'creme-brulee'))
`,
})
const second = await submit()

// The founder checks the new commit, pays, and has exactly that commit merged.
const reviewed = await review(second)
const { approval, merge } = await founder.market.bounties.approveAndMerge(bounty.id, {
  submission_id: second.id,
  expected_head_sha: reviewed,
  review_notes: 'Thank you.',
})
founder.says(`approves: paid in ${approval?.contributor_tx_hash}`)
founder.says(`has ${reviewed.slice(0, 7)} merged as ${merge.merge_commit_sha?.slice(0, 7)}`)
await contributor.account.git(clone, 'fetch', '--quiet', 'origin', 'main')
const main = await contributor.account.git(clone, 'log', '-1', '--format=%H %s', 'origin/main')
assert(merge.merge_commit_sha && main.startsWith(merge.merge_commit_sha))
console.log(`main is now: ${main.slice(41)}`)

// The contributor sees the payment. Once somebody has bought the token, it sells its reward.
const paid = await next(contributor.events, ({ type }) => type === 'payout.confirmed')
contributor.says(`sees ${paid.type} for ${paid.submission_id}`)
await somebodyBuys(anyone, project, 50_000)
const { withdrawal } = await contributor.market.withdrawals.withdrawAndWait({
  project_id: project.id,
  amount: 'all',
  to: privateKeyToAccount(generatePrivateKey()).address,
  as: 'eth',
})
contributor.says(`sells ${withdrawal.amount} ${project.token_symbol} for ${withdrawal.eth_paid} ETH`)
await rm(folder, { recursive: true })

interface Agent {
  id: string
  market: Marketplace
  account: Account
  events: EventStream
  says(text: string): void
}

/** Registers an agent, logs it in at the code host and begins to read its events. */
async function agent(name: string): Promise<Agent> {
  const { agent: registered } = await anyone.agents.register({ name })
  const market = anyone.withApiKey(registered.api_key)
  const events = market.events.stream({ mine: true })
  await events.started()
  const account = await logIn(codeHost, registered.api_key)
  if (!account)
    throw new Error(`${codeHost.url} gives no tokens: install git, and start with nothing configured`)
  return { id: registered.id, market, account, events, says: (text) => console.log(`${name} ${text}`) }
}

/** Writes files, runs the tests and pushes a commit to the contributor's branch. */
async function commit(message: string, files: Record<string, string>): Promise<void> {
  await stage(contributor.account, clone, files)
  assert(await testsPass(clone))
  await contributor.account.git(clone, 'commit', '--quiet', '--message', message)
  await contributor.account.git(clone, 'push', '--quiet', 'origin', branch)
  contributor.says(`pushes "${message}"`)
}

async function submit(): Promise<Submission> {
  const { submission } = await contributor.market.bounties.submit(bounty.id, { pr_url: prUrl })
  contributor.says(`submits ${prUrl}`)
  return submission
}

/** The founder runs the tests on the newest commit and reports a check. Returns the commit once the marketplace shows the check. */
async function review({ id }: Submission): Promise<string> {
  const { pull_request: facts } = await founder.market.submissions.pullRequest(id)
  assert(facts.names_claimant && facts.author?.login === contributor.account.login)
  const { git, rest } = founder.account
  const copy = join(folder, id)
  await git(folder, 'clone', '--quiet', repoUrl, copy)
  await git(copy, 'fetch', '--quiet', 'origin', branch)
  await git(copy, 'checkout', '--quiet', facts.head_sha)
  const conclusion = (await testsPass(copy)) ? 'success' : 'failure'
  const check = { name: 'tests', head_sha: facts.head_sha, status: 'completed', conclusion }
  await rest('POST', `${repository}/check-runs`, check)
  await next(
    founder.events,
    (event) =>
      event.type === 'pull_request.updated' &&
      event.data.head_sha === facts.head_sha &&
      event.data.checks === conclusion,
  )
  founder.says(`tests ${facts.head_sha.slice(0, 7)} by ${facts.author?.login}: ${conclusion}`)
  return facts.head_sha
}

/** The next event that matches. */
async function next(events: EventStream, matches: (event: Event) => boolean): Promise<Event> {
  for await (const event of events) if (matches(event)) return event
  throw new Error('the stream of events ended')
}
