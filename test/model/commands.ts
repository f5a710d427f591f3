import fc from 'fast-check'
import { expect } from 'vitest'
import type { ErrorCode } from '../../server/errors.ts'
import type { ApiResponse } from '../support/api.ts'
import { expectError } from '../support/errors.ts'
import type { TestMarket } from '../support/market.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { type Model, type ModelBounty, type ModelProject, refusals } from './model.ts'

/** The service, and what its answers called the things that the model numbers. */
export interface Real {
  market: TestMarket
  agents: TestAgent[]
  projects: { id: string; repo_url: string; token_address: string }[]
  bounties: string[]
  /** The newest submission of each bounty. */
  submissions: Map<string, string>
}

type Command = fc.AsyncCommand<Model, Real>

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
  { weight: 6, arbitrary: onAnyBounty(claim) },
  { weight: 6, arbitrary: onAnyBounty(submit) },
  { weight: 4, arbitrary: onAnyBounty(approve) },
  { weight: 2, arbitrary: onAnyBounty(reject) },
  { weight: 2, arbitrary: onAnyBounty(requestChanges) },
  { weight: 2, arbitrary: onAnyBounty(retract) },
  { weight: 1, arbitrary: onAnyBounty(cancel) },
  { weight: 1, arbitrary: fc.tuple(anybody, anything).map((target) => setWallet(...target)) },
)

/** How every run begins: two founders, each with an active project and a bounty. */
export const opening = [0, 1].flatMap((founder) => [
  propose(founder),
  activate(founder, founder, true),
  offer([founder, founder, true], 20),
])

const pick = <Item>(items: Item[], which: number) => items[which % items.length] as Item

/** Compares an answer with what the model says about it; returns whether the step was taken. */
function agrees(answer: ApiResponse, refusal: ErrorCode | null, status: number): boolean {
  if (refusal) expectError(answer, refusal)
  else expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error: undefined })
  return refusal === null
}

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

/** A step on a project by any agent, or by its founder where it is to be `fitting`. */
function onProject(
  name: string,
  [which, project, fitting]: [number, number, boolean],
  run: (model: Model, real: Real, agent: number, index: number, on: ModelProject) => Promise<void>,
): Command {
  return {
    check: (model) => model.projects.length > 0,
    run(model, real) {
      const on = pick(model.projects, project)
      const agent = fitting ? on.founder : which % real.agents.length
      return run(model, real, agent, project % model.projects.length, on)
    },
    toString: () => `${name}(${which}, ${project}, ${fitting})`,
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
    model.bounties.push({ project: index, reward, status: 'open', claimant: null, submissions: [] })
  })
}

/** A step on a bounty by any agent, or by the one it is meant for on one that is `from`, where it is to be `fitting`. */
function onBounty(
  name: string,
  [which, bounty, fitting]: [number, number, boolean],
  from: ModelBounty['status'],
  meantFor: (model: Model, on: ModelBounty) => number | null | undefined,
  run: (model: Model, real: Real, agent: number, path: string, on: ModelBounty) => Promise<void>,
): Command {
  return {
    check: (model) => model.bounties.length > 0,
    run(model, real) {
      const ready = model.bounties.filter((each) => each.status === from)
      const on = pick(fitting && ready.length > 0 ? ready : model.bounties, bounty)
      const agent = (fitting ? meantFor(model, on) : null) ?? which % real.agents.length
      return run(model, real, agent, `/api/bounties/${real.bounties[model.bounties.indexOf(on)]}`, on)
    },
    toString: () => `${name}(${which}, ${bounty}, ${fitting})`,
  }
}

const founder = (model: Model, on: ModelBounty) => model.projects[on.project]?.founder

function claim(...target: [number, number, boolean]): Command {
  return onBounty(
    'claim',
    target,
    'open',
    () => null,
    async (model, { market, agents }, agent, path, on) => {
      const answer = await market.api('POST', `${path}/claim`, { key: agents[agent]?.key })
      if (!agrees(answer, refusals.claim(model, agent, on), 200)) return
      Object.assign(on, { status: 'claimed', claimant: agent })
    },
  )
}

function submit(...target: [number, number, boolean]): Command {
  const claimant = (_: Model, on: ModelBounty) => on.claimant
  return onBounty('submit', target, 'claimed', claimant, async (model, real, agent, path, on) => {
    const { market, agents, projects } = real
    const pr_url = await market.pullRequest(projects[on.project] as { repo_url: string })
    const answer = await market.api('POST', `${path}/submit`, { key: agents[agent]?.key, body: { pr_url } })
    if (!agrees(answer, refusals.submit(model, agent, on), 201)) return
    on.status = 'in_review'
    on.submissions.unshift({ contributor: agent, status: 'pending' })
    real.submissions.set(path, answer.body.submission.id)
  })
}

function approve(...target: [number, number, boolean]): Command {
  return onBounty(
    'approve',
    target,
    'in_review',
    founder,
    async (model, { market, agents }, agent, path, on) => {
      const answer = await market.api('POST', `${path}/approve`, { key: agents[agent]?.key, body: {} })
      const refusal = refusals.review(model, agent, on) ?? refusals.pay(model, on)
      if (!agrees(answer, refusal, 200)) return
      ended(on, 'done', 'approved')
      const project = model.projects[on.project] as ModelProject
      project.funds -= on.reward
      const to = `${on.project} ${model.wallets[on.claimant as number]}`
      model.paid.set(to, (model.paid.get(to) ?? 0) + on.reward)
    },
  )
}

/** The newest submission has ended; the claim ends with it where the bounty is open. */
function ended(on: ModelBounty, status: ModelBounty['status'], submission: string): void {
  on.status = status
  if (status === 'open') on.claimant = null
  const [newest] = on.submissions
  if (newest) newest.status = submission
}

/** A step of the founder with the reasons in its body. */
function review(
  action: 'reject' | 'request-changes',
  target: [number, number, boolean],
  end: (on: ModelBounty) => void,
): Command {
  return onBounty(
    action,
    target,
    'in_review',
    founder,
    async (model, { market, agents }, agent, path, on) => {
      const request = { key: agents[agent]?.key, body: { review_notes: 'No.' } }
      const answer = await market.api('POST', `${path}/${action}`, request)
      if (agrees(answer, refusals.review(model, agent, on), 200)) end(on)
    },
  )
}

function reject(...target: [number, number, boolean]): Command {
  return review('reject', target, (on) => ended(on, 'open', 'rejected'))
}

function requestChanges(...target: [number, number, boolean]): Command {
  return review('request-changes', target, (on) => ended(on, 'claimed', 'changes_requested'))
}

function retract(...target: [number, number, boolean]): Command {
  const contributor = (_: Model, on: ModelBounty) => on.submissions[0]?.contributor
  return onBounty('retract', target, 'in_review', contributor, async (model, real, agent, path, on) => {
    const id = real.submissions.get(path) ?? 'sub_00000000000000000000'
    const key = real.agents[agent]?.key
    const answer = await real.market.api('POST', `/api/submissions/${id}/retract`, { key })
    if (agrees(answer, refusals.retract(model, agent, on), 200)) ended(on, 'open', 'retracted')
  })
}

function cancel(...target: [number, number, boolean]): Command {
  return onBounty('cancel', target, 'open', founder, async (model, { market, agents }, agent, path, on) => {
    const answer = await market.api('POST', `${path}/cancel`, { key: agents[agent]?.key })
    if (agrees(answer, refusals.cancel(model, agent, on), 200)) on.status = 'cancelled'
  })
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
