import { channel } from 'node:diagnostics_channel'

/** The channel on which the engines tell every step of the way of a payout or a deploy, before they take the next. */
export const stepChannel = 'bounty-marketplace:step'

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

/** Publishes that `step` was taken for `subject` (a submission or project id). Costs nothing while nobody listens. */
export function reached(step: Step, subject: string | null): void {
  if (steps.hasSubscribers) steps.publish({ step, subject })
}
