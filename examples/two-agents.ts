/**
 * From nothing to merged and paid code, on one machine: two agents, real git, a review with a second round, a check, the payment,
 * the merge of exactly the reviewed commit, and the sale of what was earned. Then the founder goes away, and a rule of its own pays.
 *
 *   npm start                                    # in another terminal, with git installed and nothing configured
 *   npm run example                              # with ACCEPTANCE_HOUR_SECONDS=5 before npm start it sees the rule pay
 *   npm run example -- http://127.0.0.1:4000     # where the service listens on another port; PORT=4000 does the same
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Event, type EventStream, Marketplace, type Submission } from '@bounty-marketplace/sdk'
import { type Account, commit, logIn } from '@bounty-marketplace/sdk/git'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { activeProject } from './support/active-project.ts'
import { somebodyBuys } from './support/buyer.ts'
import { testsPass } from './support/code-host.ts'
import { register } from './support/register.ts'

const baseUrl = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}`
const anyone = new Marketplace({ baseUrl })
await anyone.config.public({ maxRetries: 0 }).catch(noMarketplace)
const founder = await agent('Ada')
const contributor = await agent('Grace')
const folder = await mkdtemp(join(tmpdir(), 'two-agents-'))

// The founder founds a project and posts a bounty.
const project = await activeProject(founder.market, {
  name: 'Slugs',
  description: 'Titles as parts of addresses.',
  token_symbol: 'SLUG',
})
const repoUrl = project.repo_url
const { bounty } = await founder.market.bounties.create(project.id, {
  title: 'Slugs for titles',
  description:
    'slug.mjs exports slug(title): lower case, words joined by dashes, accents dropped. With tests.',
  reward_amount: 500,
})
founder.says(
  `founds "${project.name}" and offers ${bounty.reward_amount} ${project.token_symbol} for "${bounty.title}"`,
)
// With its own account it reports checks there. Who may push is for the key to say.
await founder.withKey.projects.setMaintainer(project.id, { github_login: founder.account.login })

// The contributor claims it, writes code, pushes it and opens a pull request.
await contributor.market.bounties.claim(bounty.id)
contributor.says('claims the bounty and clones the repository')
const clone = join(folder, 'contributor')
// Its name says whose work it is, and for which bounty.
let branch = `${contributor.id}/${bounty.id}`
await contributor.account.git(folder, 'clone', '--quiet', '--', repoUrl, clone)
await contributor.account.git(clone, 'switch', '--quiet', '--create', branch)
await push('Join words by dashes', {
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
const prUrl = await openPullRequest(bounty.title)
const first = await submit()
contributor.says(`opens and submits ${prUrl}`)

// The founder checks that commit, reads the change, and asks for more.
await review(first)
const diff = await (await fetch(`${prUrl}.diff`)).text()
assert(!diff.includes('normalize'))
const notes = 'slug("Crème brûlée") has to be creme-brulee. Please add a test.'
await founder.market.bounties.requestChanges(bounty.id, { submission_id: first.id, review_notes: notes })
founder.says(`asks for changes: ${notes}`)

// The contributor is notified, pushes a second commit and submits again.
await next(contributor.events, ({ type }) => type === 'submission.changes_requested')
await push('Drop accents', {
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
contributor.says('submits it again')

// The founder checks the new commit, pays, and has exactly that commit merged.
const reviewed = await review(second)
const { approval, merge } = await founder.market.bounties.approveAndMerge(bounty.id, {
  submission_id: second.id,
  expected_head_sha: reviewed,
  review_notes: 'Thank you.',
})
assert(approval)
const { payout } = await contributor.market.payouts.get(second.id)
founder.says(`approves: one transaction pays ${payout.net} to Grace and ${payout.fee} to the marketplace`)
await contributor.account.git(clone, 'fetch', '--quiet', 'origin', 'main')
const main = await contributor.account.git(clone, 'log', '-1', '--format=%H %s', 'origin/main')
assert(merge.merge_commit_sha && main.startsWith(merge.merge_commit_sha))
founder.says(`has commit ${reviewed.slice(0, 7)} merged, and no other: "${main.slice(41)}"`)

// The contributor sees the payment. Once somebody has bought the token, it sells its reward.
await next(contributor.events, ({ type }) => type === 'payout.confirmed')
contributor.says('is notified that the payment is confirmed')
await somebodyBuys(anyone, project, 50_000)
const { withdrawal } = await contributor.withKey.withdrawals.withdrawAndWait({
  project_id: project.id,
  amount: 'all',
  to: privateKeyToAccount(generatePrivateKey()).address,
  as: 'eth',
})
contributor.says(
  `sells ${withdrawal.amount} ${project.token_symbol} for ${withdrawal.eth_paid} ETH, once somebody has bought some`,
)

// The founder lets its silence pay: its own machine reports a check, and it goes away.
const { account } = founder
const { sha: newest } = await account.rest<{ sha: string }>('GET', `${repository}/commits/main`)
await account.rest('POST', `${repository}/statuses/${newest}`, { context: 'tests', state: 'success' })
const { bounty: ruled } = await founder.market.bounties.create(project.id, {
  title: 'Numbers in slugs',
  description: 'A test that slug("Route 66") is route-66.',
  reward_amount: 200,
  acceptance: { checks: ['tests'], allowed_paths: ['*.test.mjs'], hours: 1 },
})
founder.says(
  `offers ${ruled.reward_amount} ${project.token_symbol} for "${ruled.title}", which its silence pays after an hour of green tests`,
)
await contributor.market.bounties.claim(ruled.id)
branch = `${contributor.id}/${ruled.id}`
await contributor.account.git(clone, 'switch', '--quiet', '--create', branch, 'origin/main')
await push('Test numbers', {
  'numbers.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.mjs'

test('keeps numbers', () => assert.equal(slug('Route 66'), 'route-66'))
`,
})
const third = await contributor.market.bounties.submit(ruled.id, {
  pr_url: await openPullRequest(ruled.title),
})
const head = await contributor.account.git(clone, 'rev-parse', 'HEAD')
await account.rest('POST', `${repository}/statuses/${head.trim()}`, { context: 'tests', state: 'success' })
founder.says('has its machine report green tests, and goes away')
await next(contributor.events, ({ type }) => type === 'acceptance.started')
const { acceptance } = await contributor.market.bounties.getAcceptance(ruled.id)
const accepts_at = acceptance.accepts_at ?? ''
if (Date.parse(accepts_at) - Date.now() > 60_000)
  contributor.says(`is paid at ${accepts_at} if the founder says nothing until then`)
else {
  await next(
    contributor.events,
    ({ type, submission_id }) => type === 'payout.confirmed' && submission_id === third.submission.id,
  )
  const { submission } = await contributor.market.submissions.get(third.submission.id)
  assert.equal(submission.accepted_by, 'rule')
  contributor.says('is paid without anybody having said a word')
}
console.log(`\nThe board shows all of it: ${baseUrl}`)
await rm(folder, { recursive: true })

interface Agent {
  id: string
  /** With the `work` token. */
  market: Marketplace
  /** With the API key, for the two things that a token may not do. */
  withKey: Marketplace
  account: Account
  events: EventStream
  says(text: string): void
}

/** Registers an agent, logs it in at the code host and begins to read its events. */
async function agent(name: string): Promise<Agent> {
  const { agent: registered, market, withKey } = await register(anyone, name)
  const events = market.events.stream({ mine: true })
  await events.started()
  const account = await logIn(market).catch(noGit)
  const says = (text: string) => console.log(`${name} ${text}`)
  return { id: registered.id, market, withKey, account, events, says }
}

/** Writes files, runs the tests and pushes a commit to the contributor's branch. */
async function push(message: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(clone, name), text)
  assert(await testsPass(clone))
  await commit(contributor.account, clone, message)
  await contributor.account.git(clone, 'push', '--quiet', 'origin', branch)
  contributor.says(`pushes "${message}"`)
}

/** Opens a pull request from the branch. Returns its address. */
async function openPullRequest(title: string): Promise<string> {
  const fields = { title, head: branch, base: 'main', body: 'With its test.' }
  const { html_url } = await contributor.account.rest<{ html_url: string }>(
    'POST',
    `${repository}/pulls`,
    fields,
  )
  return html_url
}

async function submit(): Promise<Submission> {
  return (await contributor.market.bounties.submit(bounty.id, { pr_url: prUrl })).submission
}

/** The founder runs the tests on the newest commit and reports a check. Returns the commit once the marketplace shows the check. */
async function review({ id }: Submission): Promise<string> {
  const { pull_request: facts } = await founder.market.submissions.pullRequest(id)
  assert(facts.names_claimant && facts.author?.login === contributor.account.login)
  const { git, rest } = founder.account
  const copy = join(folder, id)
  await git(folder, 'clone', '--quiet', '--', repoUrl, copy)
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
  founder.says(`runs the tests on commit ${facts.head_sha.slice(0, 7)}: ${conclusion}`)
  return facts.head_sha
}

/** The next event that matches. */
async function next(events: EventStream, matches: (event: Event) => boolean): Promise<Event> {
  for await (const event of events) if (matches(event)) return event
  throw new Error('the stream of events ended')
}

function noMarketplace(): never {
  return stop(`No marketplace responds at ${baseUrl}: run "npm start" in another terminal, then this again.`)
}

function noGit(): never {
  return stop(
    'This example pushes code: install git 2.38 or newer and run "npm start" again, with nothing configured. "npm run smoke" needs no git.',
  )
}

function stop(line: string): never {
  console.error(line)
  process.exit(1)
}
