import { channel } from 'node:diagnostics_channel'

/** The channel on which the engines publish each step of a payout, a deploy or a relay before they take the next. */
export const stepChannel = 'bounty-marketplace:step'

/** The channel on which work for one payout, activation or relay is announced, so that its calls become part of its trace. */
export const workChannel = 'bounty-marketplace:work'

/** Points between two effects. A crash at any of them must lose nothing. */
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
  | 'signature made'
  | 'settlement found'
  | 'answer ready'
  | 'delivery sent'
  | 'deliveries recorded'

const steps = channel(stepChannel)
const works = channel(workChannel)

/** Publishes that `step` was taken for `entityId` (a submission, project or relay id). Costs nothing without subscribers. */
export function emitStep(step: Step, entityId: string | null): void {
  if (steps.hasSubscribers) steps.publish({ step, entityId })
}

/** Runs `work` for `entityId` (a submission, project or relay id), so that the calls it makes appear in the trace of that id. */
export function traceWork<Result>(entityId: string | null, work: () => Result): Result {
  return works.hasSubscribers && entityId !== null ? works.runStores({ entityId }, work) : work()
}
