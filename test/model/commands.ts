import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { ErrorCode } from '../../server/errors.ts'
import { claimExtensions } from '../../server/lifecycle/deadlines.ts'
import { branchFor } from '../../server/lifecycle/pull-requests/attribution.ts'
import type { ApiResponse } from '../support/api.ts'
import {
  type Model,
  type ModelBounty,
  type ModelProject,
  type ModelSubmission,
  newestUnseen,
  refusals,
} from './model.ts'
import { agrees, type Command, onBounty, onProject, pick, type Real } from './steps.ts'

/** Whole tokens of each project's supply; a tenth is its bounty reserve. */
export const supply = 1000

const anybody = fc.nat(1000)
const anything = fc.nat(1000)
/** Mostly, or nothing would ever get far. */
const fitting = fc.integer({ min: 0, max: 3 }).map((dice) => dice > 0)
const onAnyBounty = (step: (agent: number, bounty: number, fitting: boolean) => Command) =>
  fc.tuple(anybody, anything, fitting).map((target) => step(...target))

/** A random step; the numbers in it name an agent, a project or a bounty, whichever there is. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: anybody.map(propose) },
  { weight: 1, arbitrary: fc.tuple(anybody, anything, fitting).map((target) => activate(...target)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(anybody, anything, fitting, fc.integer({ min: 1, max: 40 }))
      .map(([agent, project, fits, reward]) => offer([agent, project, fits], reward)),
  },
  { weight: 8, arbitrary: onAnyBounty(claim) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(anybody, anything, fitting, fc.integer({ min: -10, max: 20 }))
      .map(([agent, bounty, fits, by]) => change([agent, bounty, fits], by)),
  },
  { weight: 1, arbitrary: onAnyBounty(lapse) },
  { weight: 2, arbitrary: onAnyBounty(work) },
  { weight: 2, arbitrary: onAnyBounty(extend) },
  { weight: 2, arbitrary: onAnyBounty(dismiss) },
  { weight: 1, arbitrary: onAnyBounty(release) },
  { weight: 8, arbitrary: onAnyBounty(submit) },
  { weight: 4, arbitrary: onAnyBounty(approve) },
  { weight: 2, arbitrary: onAnyBounty(mergeAtHost) },
  { weight: 2, arbitrary: onAnyBounty(reject) },
  { weight: 2, arbitrary: onAnyBounty(requestChanges) },
  { weight: 1, arbitrary: onAnyBounty(retract) },
  { weight: 1, arbitrary: onAnyBounty(cancel) },
  { weight: 1, arbitrary: fc.tuple(anybody, anything).map((target) => setWallet(...target)) },
)

/** How every run begins: two founders, each with an active project and a bounty. */
export const opening = [0, 1].flatMap((founder) => [
  propose(founder),
  activate(founder, founder, true),
  offer([founder, founder, true], 20),
])

function propose(which: number): Command {
  return {
    check: (model) => model.projects.length < 4,
    async run(model, { market, agents, projects }) {
      const founder = which % agents.length
      const body = { name: 'P', description: 'D', token_symbol: 'T', token_supply: supply }
      const answer = await market.api('POST', '/api/projects', { key: agents[founder]?.key, body })
      agrees(answer, null, 201)
      projects.push({ id: answer.body.project.id, repo_url: '', token_address: '' })
      model.projects.push({ founder, status: 'proposed', wallet: '', funds: supply / 10 })
    },
    toString: () => `propose(${which})`,
  }
}

function activate(...target: [number, number, boolean]): Command {
  return onProject('activate', target, async (model, { market, agents, projects }, agent, index, on) => {
    const real = projects[index] as Real['projects'][number]
    const answer = await market.api('POST', `/api/projects/${real.id}/activate`, { key: agents[agent]?.key })
    if (!agrees(answer, refusals.activate(model, agent, on), 200)) return
    on.status = 'active'
    on.wallet = model.wallets[agent] as string
    Object.assign(real, answer.body.project)
  })
}

function offer(target: [number, number, boolean], reward: number): Command {
  return onProject('offer', target, async (model, real, agent, index, on) => {
    const { market, agents, projects, bounties } = real
    const body = { title: 'T', description: 'D', reward_amount: reward }
    const path = `/api/projects/${projects[index]?.id}/bounties`
    const answer = await market.api('POST', path, { key: agents[agent]?.key, body })
    if (!agrees(answer, refusals.offer(model, agent, on, reward), 201)) return
    bounties.push(answer.body.bounty.id)
    real.submissions.push([])
    real.pulls.push([])
    const claim = { claimant: null, extensions: 0, hasLapsed: false, seen: null, isDismissed: false }
    const past = { gaveUp: new Map(), dismissed: new Set<number>(), works: new Map() }
    model.bounties.push({
      project: index,
      reward,
      revision: 1,
      status: 'open',
      ...claim,
      ...past,
      submissions: [],
    })
  })
}

type Target = [which: number, bounty: number, fitting: boolean]
type Refusal = (model: Model, agent: number, on: ModelBounty) => ErrorCode | null

/** A step that is one POST to a bounty, and what follows from it in the model unless it is refused. */
function oneRequest(
  action: string,
  target: Target,
  from: ModelBounty['status'],
  meantFor: (model: Model, on: ModelBounty) => number | null | undefined,
  refusal: Refusal,
  then: (model: Model, agent: number, on: ModelBounty, answer: ApiResponse) => void,
  body?: object,
): Command {
  return onBounty(action, target, from, meantFor, async (model, { market, agents }, agent, path, on) => {
    const answer = await market.api('POST', `${path}/${action}`, { key: agents[agent]?.key, body })
    if (agrees(answer, refusal(model, agent, on), 200)) then(model, agent, on, answer)
  })
}

const founder = (model: Model, on: ModelBounty) => model.projects[on.project]?.founder

function claim(...target: Target): Command {
  const anyone = () => null
  return oneRequest('claim', target, 'open', anyone, refusals.claim, (_model, agent, on) => {
    if (on.claimant !== null) giveUp(on, on.claimant)
    const extensions = on.gaveUp.has(agent) ? 0 : claimExtensions
    Object.assign(on, { status: 'claimed', claimant: agent, extensions, hasLapsed: false })
    Object.assign(on, { seen: null, isDismissed: false })
    // What is there already is no work for this claim.
    on.works.get(agent)?.fill(false)
  })
}

/** The founder changes the reward by so many tokens, or the title where that is none. */
function change(target: [number, number, boolean], by: number): Command {
  return onBounty(`change by ${by}`, target, 'open', founder, async (model, real, agent, path, on) => {
    const { market, agents } = real
    const reward = Math.max(on.reward + by, 1)
    const body = by === 0 ? { title: `Title ${on.revision + 1}` } : { reward_amount: reward }
    const isSame = by !== 0 && reward === on.reward
    const answer = await market.api('PATCH', path, { key: agents[agent]?.key, body })
    const refusal = refusals.change(model, agent, on, by === 0 ? undefined : reward)
    if (!agrees(answer, refusal, 200)) return
    Object.assign(on, { reward, revision: on.revision + (isSame ? 0 : 1) })
    expect(answer.body).toMatchObject({ revision: on.revision, bounty: { reward_amount: reward } })
  })
}

const claimant = (_: Model, on: ModelBounty) => on.claimant
function giveUp(on: ModelBounty, agent: number): void {
  on.gaveUp.set(agent, (on.gaveUp.get(agent) ?? 0) + 1)
}

const opened = { status: 'open', claimant: null, hasLapsed: false, seen: null, isDismissed: false } as const

/** Opens a pull request whose branch names the bounty and the agent; returns its address. */
async function openPull(model: Model, real: Real, agent: number, on: ModelBounty): Promise<string> {
  on.works.set(agent, [...(on.works.get(agent) ?? []), true])
  const project = real.projects[on.project]
  const id = real.bounties[model.bounties.indexOf(on)]
  const branch = branchFor(String(real.agents[agent]?.id), String(id))
  const opened = await real.market.pullRequest(project as { repo_url: string }, branch)
  // The service reaches the code host by another address.
  return `${project?.repo_url}/pull/${opened.split('/').at(-1)}`
}

function work(...target: [number, number, boolean]): Command {
  return onBounty('work', target, 'claimed', claimant, async (model, real, agent, _path, on) => {
    await openPull(model, real, agent, on)
  })
}

/** The time of a claim is over. No sweep runs meanwhile, so the claim stays until another agent claims the bounty. */
function lapse(...target: [number, number, boolean]): Command {
  return onBounty('lapse', target, 'claimed', claimant, async (_model, { market }, _agent, path, on) => {
    if (on.status !== 'claimed') return
    await market.db
      .updateTable('bounties')
      .set({ claim_expires_at: sql`now() - interval '1 second'`, listed_at: sql`now()` })
      .where('id', '=', path.split('/').at(-1) as string)
      .execute()
    on.hasLapsed = true
  })
}

function extend(...target: Target): Command {
  return oneRequest('extend', target, 'claimed', claimant, refusals.extend, (_model, _agent, on, answer) => {
    on.extensions--
    see(on, newestUnseen(on))
    expect(answer.body.claim.extensions_left).toBe(on.extensions)
  })
}

/** A work of the claimant is seen, and counts once. */
function see(on: ModelBounty, work: number | null): void {
  on.seen = work
  const works = on.works.get(on.claimant as number)
  if (works && work !== null) works[work] = false
}

function dismiss(...target: [number, number, boolean]): Command {
  return onBounty(
    'dismiss',
    target,
    'claimed',
    founder,
    async (model, { market, agents }, agent, path, on) => {
      const body = { review_notes: 'Too slow.' }
      const refusal = refusals.dismiss(model, agent, on)
      const answer = await market.api('POST', `${path}/dismiss`, { key: agents[agent]?.key, body })
      // It has looked at the code host, unless it knew before that it could not end the claim.
      const hasLooked = agent === founder(model, on) && on.status === 'claimed' && on.seen === null
      if (hasLooked && !model.bounties.some((one) => one.status === 'done' && one.claimant === on.claimant))
        see(on, newestUnseen(on))
      if (!agrees(answer, refusal, 200) || on.status !== 'claimed') return
      on.dismissed.add(on.claimant as number)
      Object.assign(on, { ...opened, isDismissed: true })
    },
  )
}

function release(...target: Target): Command {
  return oneRequest('release', target, 'claimed', claimant, refusals.asClaimant, (_model, agent, on) => {
    giveUp(on, agent)
    Object.assign(on, opened)
  })
}

function submit(...target: [number, number, boolean]): Command {
  return onBounty('submit', target, 'claimed', claimant, async (model, real, agent, path, on) => {
    const { market, agents, submissions, pulls } = real
    const pr_url = await openPull(model, real, agent, on)
    const answer = await market.api('POST', `${path}/submit`, { key: agents[agent]?.key, body: { pr_url } })
    if (!agrees(answer, refusals.asClaimant(model, agent, on), 201)) return
    const seen = (on.works.get(agent)?.length ?? 0) - 1
    Object.assign(on, { status: 'in_review', hasLapsed: false })
    see(on, seen)
    on.submissions.push({ contributor: agent, status: 'pending', work: seen, isMerged: false })
    submissions[model.bounties.indexOf(on)]?.push(answer.body.submission.id)
    pulls[model.bounties.indexOf(on)]?.push(pr_url)
  })
}

function approve(...target: Target): Command {
  const refusal: Refusal = (model, agent, on) =>
    refusals.asFounder(model, agent, on, 'in_review') ?? refusals.pay(model, on)
  const paid = (model: Model, _agent: number, on: ModelBounty) => pay(model, on)
  return oneRequest('approve', target, 'in_review', founder, refusal, paid, {})
}

/** The founder's acceptance, like an approval. What cannot be paid stays in review, and cannot be rejected. */
function mergeAtHost(...target: [number, number, boolean]): Command {
  return onBounty('merge', target, 'in_review', founder, async (model, real, _agent, _path, on) => {
    const latest = on.submissions.at(-1)
    if (on.status !== 'in_review' || !latest || latest.isMerged) return
    await real.merge(real.pulls[model.bounties.indexOf(on)]?.at(-1) as string)
    latest.isMerged = true
    const works = on.works.get(latest.contributor) as boolean[]
    works[on.seen as number] = false
    if (!refusals.pay(model, on)) pay(model, on)
  })
}

function pay(model: Model, on: ModelBounty): void {
  end(on, 'approved')
  on.status = 'done'
  const project = model.projects[on.project] as ModelProject
  project.funds -= on.reward
  const to = `${on.project} ${model.wallets[on.claimant as number]}`
  model.paid.set(to, (model.paid.get(to) ?? 0) + on.reward)
}

function reject(...target: Target): Command {
  const then = (_model: Model, _agent: number, on: ModelBounty) => {
    end(on, 'rejected')
    giveUp(on, on.claimant as number)
    Object.assign(on, opened)
  }
  const body = { review_notes: 'No.' }
  return oneRequest('reject', target, 'in_review', founder, refusals.endReview, then, body)
}

function requestChanges(...target: Target): Command {
  const then = (_model: Model, _agent: number, on: ModelBounty) => {
    end(on, 'changes_requested')
    Object.assign(on, { status: 'claimed', extensions: claimExtensions })
  }
  const body = { review_notes: 'Almost.' }
  return oneRequest('request-changes', target, 'in_review', founder, refusals.endReview, then, body)
}

function cancel(...target: Target): Command {
  const refusal: Refusal = (model, agent, on) => refusals.asFounder(model, agent, on, 'open')
  return oneRequest('cancel', target, 'open', founder, refusal, (_model, _agent, on) => {
    on.status = 'cancelled'
  })
}

/** Takes the latest submission of a bounty back. */
function retract(...target: [number, number, boolean]): Command {
  const contributor = (_: Model, on: ModelBounty) => on.submissions.at(-1)?.contributor
  return onBounty('retract', target, 'in_review', contributor, async (model, real, agent, _path, on) => {
    const { market, agents, submissions } = real
    const id = submissions[model.bounties.indexOf(on)]?.at(-1)
    const latest = on.submissions.at(-1)
    if (!id || !latest) return
    const answer = await market.api('POST', `/api/submissions/${id}/retract`, { key: agents[agent]?.key })
    if (!agrees(answer, refusals.retract(model, agent, latest), 200)) return
    end(on, 'retracted')
    giveUp(on, agent)
    Object.assign(on, opened)
  })
}

/** The review of the latest submission is over. */
function end(on: ModelBounty, status: ModelSubmission['status']): void {
  Object.assign(on.submissions.at(-1) as ModelSubmission, { status })
}

/** Takes over the wallet that some agent has: two agents may well be paid to one address. */
function setWallet(which: number, wallet: number): Command {
  return {
    check: () => true,
    async run(model, { market, agents }) {
      const agent = which % agents.length
      const wallet_address = pick(model.wallets, wallet)
      const key = agents[agent]?.key
      agrees(await market.api('PATCH', '/api/agents/me/wallet', { key, body: { wallet_address } }), null, 200)
      model.wallets[agent] = wallet_address
    },
    toString: () => `setWallet(${which}, ${wallet})`,
  }
}
