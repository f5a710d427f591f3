import type fc from 'fast-check'
import { expect } from 'vitest'
import type { ErrorCode } from '../../server/errors.ts'
import type { ApiResponse } from '../support/api.ts'
import { expectError } from '../support/errors.ts'
import type { TestMarket } from '../support/market.ts'
import type { TestAgent } from '../support/scenarios.ts'
import type { Model, ModelBounty, ModelProject } from './model.ts'

/** The service, and what its answers called the things that the model numbers. */
export interface Real {
  market: TestMarket
  agents: TestAgent[]
  projects: { id: string; repo_url: string; token_address: string }[]
  bounties: string[]
  /** Ids of the submissions of each bounty, oldest first, and the pull requests behind them. */
  submissions: string[][]
  pulls: string[][]
  /** Lets the code host report that somebody else than its author has merged a pull request, and waits for what that causes. */
  merge(prUrl: string): Promise<void>
}

/** A step of a sequence. */
export type Command = fc.AsyncCommand<Model, Real>

/** One of them, whichever number is given. */
export const pick = <Item>(items: Item[], which: number) => items[which % items.length] as Item

/** Compares an answer with what the model says about it; returns whether the step was taken. */
export function agrees(answer: ApiResponse, refusal: ErrorCode | null, status: number): boolean {
  if (refusal) expectError(answer, refusal)
  else expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error: undefined })
  return refusal === null
}

/** A step on a project by any agent, or by its founder where it is to be `fitting`. */
export function onProject(
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

/** A step on a bounty by any agent, or by the one it is meant for on one that is `from`, where it is to be `fitting`. */
export function onBounty(
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
