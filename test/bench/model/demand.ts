import { type Amounts, amounts, type CostName, costs } from './costs.ts'
import { laneLoad } from './lanes.ts'
import type { Profile } from './profile.ts'

/** Everything that happens, as times a second. */
export interface Rates {
  steps: Partial<Record<CostName, number>>
  /** Requests that wait at a time, and those of them that want the events of everybody. */
  held: number
  heldUnfiltered: number
  /** Entries of the log. */
  events: number
  /** To the chain. */
  transactions: number
}

export const yearSeconds = 365 * 86_400
/** How often a process polls the log in a second. */
const logPolls = 2

/** The rates of an average moment, or of the busiest hour if `factor` is the peak. */
export function ratesOf(profile: Profile, factor = 1): Rates {
  const bounties = (profile.bountiesPerYear / yearSeconds) * factor
  const retried = 1 + profile.retries
  const awake = profile.agents * profile.awake * factor
  const once = {
    register: ((profile.agents * profile.newAgents) / yearSeconds) * factor,
    createProject: bounties / profile.bountiesPerProject,
    activate: bounties / profile.bountiesPerProject,
    createBounty: bounties,
    claim: bounties * profile.claims,
    submit: bounties * profile.submissions,
    approve: bounties * profile.approvals,
    reject: bounties * profile.rejections,
    merge: bounties * profile.merges,
    withdraw: bounties * profile.withdrawals,
  }
  const writes = Object.entries(once).map(
    ([name, rate]) => [name as keyof typeof once, rate * retried] as const,
  )
  const events = writes.reduce((sum, [name, rate]) => sum + rate * costs[name].entries, 0)
  const held = awake * profile.waiting
  return {
    steps: {
      ...Object.fromEntries(writes),
      delivery: events * profile.recipients * profile.webhooks,
      firstReading: bounties * profile.submissions * profile.hostEvents,
      // A pull request is read again at any hour, so the day's curve does not matter.
      reading: openPullRequests(profile) / (profile.readingMinutes * 60),
      pollTasks: ((awake * (1 - profile.waiting)) / profile.tasksEverySeconds) * retried,
      pollBounty: (awake / profile.bountyEverySeconds) * retried,
      pollList: (awake / profile.listEverySeconds) * retried,
      waitInVain: held / profile.waitSeconds,
    },
    events,
    held,
    heldUnfiltered: held * profile.unfiltered,
    transactions: (once.approve + once.withdraw + once.activate) * retried,
  }
}

/** Pull requests that are read again and again: in review, waiting for their merge, or approved and never merged. */
function openPullRequests(profile: Profile): number {
  const { submissions, approvals, reviewHours, mergeHours, merges, mergedElsewhere, readingDays } = profile
  const forgotten = Math.max(0, approvals - merges - mergedElsewhere)
  const seconds =
    submissions * reviewHours * 3600 + approvals * mergeHours * 3600 + forgotten * readingDays * 86_400
  return (profile.bountiesPerYear / yearSeconds) * seconds
}

/** One line of what is used: times a second, and what that uses. */
export interface Line {
  name: string
  perSecond: number
  used: Amounts
}

/** Everything that the rates use in a second, on so many processes and operator keys. */
export function demandOf(rates: Rates, profile: Profile, servers: number, keys: number): Line[] {
  // The share of its polls at which a process finds new entries.
  const changed = logPolls * (1 - Math.exp(-rates.events / logPolls))
  const { watching, underWay, checks } = laneLoad(rates.transactions, keys, profile)
  const steps: Rates['steps'] = {
    ...rates.steps,
    wake: (rates.held - rates.heldUnfiltered) * changed,
    news: rates.heldUnfiltered * changed,
    entriesRead: changed * Math.max(0, servers - 1),
    idle: servers,
    watching,
    underWay,
    check: checks,
  }
  return Object.entries(steps).map(([name, perSecond]) => {
    const cost = costs[name as CostName]
    return { name, perSecond, used: amounts((amount) => cost[amount] * perSecond) }
  })
}

/** The sum of lines. */
export const totalOf = (lines: Line[]): Amounts =>
  amounts((amount) => lines.reduce((sum, { used }) => sum + used[amount], 0))
