import { channel } from 'node:diagnostics_channel'

/** The channel on which the engines publish each step of a payout, a deploy or a relay before they take the next. */
export const stepChannel = 'bounty-marketplace:step'

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

/** Publishes that `step` was taken for `entityId` (a submission, project or relay id). Costs nothing without subscribers. */
export function emitStep(step: Step, entityId: string | null): void {
  if (steps.hasSubscribers) steps.publish({ step, entityId })
}
