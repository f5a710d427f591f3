import { channel } from 'node:diagnostics_channel'

/** The channel on which the engines tell every step of the way of a payout or a deploy, before they take the next. */
export const stepChannel = 'bounty-marketplace:step'

/** The channel on which work for one payout or activation is announced, for those who have to know what is part of it. */
export const workChannel = 'bounty-marketplace:work'

/** Points between two effects, where a crash must lose nothing. */
export type Step =
  | 'intent stored'
  | 'attempt signed'
  | 'attempt stored'
  | 'attempt sent'
  | 'send recorded'
  | 'replacement stored'
  | 'replacement sent'
  | 'receipt seen'
  | 'receipt recorded'
  | 'outcome stored'
  | 'repository created'
  | 'repository recorded'
  | 'deploy queued'
  | 'answer ready'

const steps = channel(stepChannel)
const works = channel(workChannel)

/** Publishes that `step` was taken for `entityId` (a submission or project id). Costs nothing while nobody listens. */
export function reached(step: Step, entityId: string | null): void {
  if (steps.hasSubscribers) steps.publish({ step, entityId })
}

/** Does `work` for `entityId` (a submission or project id), and lets those who watch know what it calls. */
export function workFor<Result>(entityId: string | null, work: () => Result): Result {
  return works.hasSubscribers && entityId !== null ? works.runStores({ entityId }, work) : work()
}
