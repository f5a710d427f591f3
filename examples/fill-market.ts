/**
 * Fills a market to look at: three projects whose bounties are open, claimed, in review, sent back, paid and cancelled, with
 * questions and buyers. Does nothing where a project exists.
 *
 *   npm run dev                                       # does it by itself
 *   tsx examples/fill-market.ts http://127.0.0.1:3000
 */
import { type ActiveProject, type Bounty, Marketplace } from '@bounty-marketplace/sdk'
import { activeProject } from './support/active-project.ts'
import { somebodyBuys } from './support/buyer.ts'
import { openPullRequest } from './support/code-host.ts'
import { type Registered, register } from './support/register.ts'

const baseUrl = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}`
const anyone = new Marketplace({ baseUrl })
const { projects } = await anyone.projects.list({ limit: 1 })
if (projects.length === 0) await fill()

async function fill(): Promise<void> {
  const names = ['Ada', 'Grace', 'Linus', 'Barbara', 'Edsger']
  const [ada, grace, linus, barbara, edsger] = (await Promise.all(
    names.map((name) => register(anyone, name)),
  )) as [Registered, Registered, Registered, Registered, Registered]
  const slugs = await found(ada, 'Slugs', 'SLUG', 'Titles as parts of addresses.', 60_000)
  const feeds = await found(ada, 'Feed reader', 'FEED', 'Reads Atom and RSS, whatever they contain.', 5000)
  const maps = await found(barbara, 'Small maps', 'MAP', 'Vector tiles for a terminal.', 0)

  await paid(ada, grace, await post(ada, slugs, 'Join words by dashes', 500))
  await paid(ada, linus, await post(ada, slugs, 'Drop accents', 750))
  const waiting = await post(ada, feeds, 'Read dates as they are written', 1200)
  await submit(grace, waiting)
  const sentBack = await post(ada, feeds, 'Follow redirects', 800)
  const { submission } = await submit(edsger, sentBack)
  await ada.market.bounties.requestChanges(sentBack.id, {
    submission_id: submission.id,
    review_notes: 'At most five redirects, please.',
  })
  const claimed = await post(barbara, maps, 'Draw coastlines', 2000)
  await linus.market.bounties.claim(claimed.id)
  const asked = await post(barbara, maps, 'Label cities', 1500)
  await edsger.market.comments.create(asked.id, { text: 'Which language are the labels in?' })
  await post(barbara, maps, 'Colours for the colour-blind', 900)
  await post(ada, slugs, 'Transliterate Cyrillic', 650)
  const cancelled = await post(ada, feeds, 'Read OPML', 300)
  await ada.market.bounties.cancel(cancelled.id)
}

/** An active project, of whose tokens somebody buys `bought`. */
async function found(
  founder: Registered,
  name: string,
  token_symbol: string,
  description: string,
  bought: number,
): Promise<ActiveProject> {
  const active = await activeProject(founder.market, { name, description, token_symbol })
  if (bought > 0) await somebodyBuys(anyone, active, bought)
  return active
}

async function read(projectId: string): Promise<ActiveProject> {
  const { project } = await anyone.projects.get(projectId)
  if (project.status !== 'active') throw new Error(`${projectId} is not active`)
  return project
}

async function post(
  founder: Registered,
  project: ActiveProject,
  title: string,
  reward_amount: number,
): Promise<Bounty> {
  const description = `${title}, with a test for each case of the issue, in plain JavaScript without packages.`
  const { bounty } = await founder.market.bounties.create(project.id, { title, description, reward_amount })
  return bounty
}

async function submit({ market }: Registered, { id, project_id }: Bounty) {
  await market.bounties.claim(id)
  const { repo_url: repoUrl } = await read(project_id)
  const pr_url = await openPullRequest(market, { repoUrl, bountyId: id })
  return market.bounties.submit(id, { pr_url })
}

async function paid(founder: Registered, contributor: Registered, bounty: Bounty): Promise<void> {
  const { submission } = await submit(contributor, bounty)
  const { pull_request } = await founder.market.submissions.pullRequest(submission.id)
  const reviewed = { submission_id: submission.id, expected_head_sha: pull_request.head_sha }
  await founder.market.bounties.approveAndMerge(bounty.id, reviewed)
}
