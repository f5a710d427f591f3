import { type Amounts, amountNames, type CostName, costs } from './costs.ts'
import { laneLoad } from './lanes.ts'
import type { Profile } from './profile.ts'

/** Steps that write. */
const writeNames = [
  'register',
  'createProject',
  'activate',
  'createBounty',
  'claim',
  'submit',
  'approve',
  'reject',
  'merge',
  'withdraw',
  'delivery',
] as const
type WriteName = (typeof writeNames)[number]

/** Everything that happens, as times a second. */
export interface Rates {
  writes: Record<WriteName, number>
  /** Readings of pull requests that find something new, and that find nothing. */
  news: number
  readings: number
  pollTasks: number
  pollBounty: number
  pollList: number
  /** Requests for events that end empty. */
  waitsInVain: number
  /** Requests that wait at a time, and those of them that want the events of everybody. */
  held: number
  heldUnfiltered: number
  /** Entries of the log. */
  events: number
}

const yearSeconds = 365 * 86_400
/** How often a process polls the log in a second. */
const logPolls = 2

/** The rates of an average moment, or of the busiest hour if `factor` is the peak. */
export function ratesOf(profile: Profile, factor = 1): Rates {
  const bounties = (profile.bountiesPerYear / yearSeconds) * factor
  const retried = 1 + profile.retries
  const awake = profile.agents * profile.awake * factor
  const writes: Record<WriteName, number> = {
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
    delivery: 0,
  }
  for (const name of writeNames) writes[name] *= retried
  const events = writeNames.reduce((sum, name) => sum + writes[name] * costs[name].entries, 0)
  writes.delivery = events * profile.recipients * profile.webhooks
  const held = awake * profile.waiting
  return {
    writes,
    events,
    news: bounties * profile.submissions * profile.hostEvents,
    // A pull request is read again at any hour, so the day's curve does not matter.
    readings: openPullRequests(profile) / (profile.readingMinutes * 60),
    pollTasks: ((awake * (1 - profile.waiting)) / profile.tasksEverySeconds) * retried,
    pollBounty: (awake / profile.bountyEverySeconds) * retried,
    pollList: (awake / profile.listEverySeconds) * retried,
    waitsInVain: held / profile.waitSeconds,
    held,
    heldUnfiltered: held * profile.unfiltered,
  }
}

/** Pull requests that are read again and again: in review, waiting for their merge, or approved and never merged. */
function openPullRequests(profile: Profile): number {
  const perSecond = (profile.bountiesPerYear / yearSeconds) * profile.submissions
  const approved = (profile.bountiesPerYear / yearSeconds) * profile.approvals
  const forgotten = Math.max(0, profile.approvals - profile.merges - profile.mergedElsewhere)
  const forgottenPerSecond = (profile.bountiesPerYear / yearSeconds) * forgotten
  return (
    perSecond * profile.reviewHours * 3600 +
    approved * profile.mergeHours * 3600 +
    forgottenPerSecond * profile.readingDays * 86_400
  )
}

/** Transactions to the chain in a second. */
export const transactionsOf = ({ writes }: Rates): number =>
  writes.approve + writes.withdraw + writes.activate

/** One line of what is used: times a second, and what that uses. */
export interface Line {
  name: string
  perSecond: number
  used: Amounts
}

/** Everything that the rates use in a second, on so many processes and operator keys. */
export function demandOf(rates: Rates, profile: Profile, servers: number, keys: number): Line[] {
  const line = (name: string, cost: CostName, perSecond: number): Line => ({
    name,
    perSecond,
    used: times(costs[cost], perSecond),
  })
  // The share of its polls at which a process finds new entries.
  const changed = logPolls * (1 - Math.exp(-rates.events / logPolls))
  const { postgresMicros, statements } = costs.event
  const load = laneLoad(transactionsOf(rates), keys, profile)
  return [
    ...writeNames.map((name) => line(name, name, rates.writes[name])),
    line('reading with news', 'firstReading', rates.news),
    line('reading, nothing new', 'reading', rates.readings),
    line('poll of tasks', 'pollTasks', rates.pollTasks),
    line('poll of a bounty', 'pollBounty', rates.pollBounty),
    line('poll of a list', 'pollList', rates.pollList),
    line('wait for events, in vain', 'waitInVain', rates.waitsInVain),
    line('wait, woken for others', 'wake', (rates.held - rates.heldUnfiltered) * changed),
    line('wait, news for everybody', 'news', rates.heldUnfiltered * changed),
    {
      // The other processes read what the first one has numbered and written.
      name: 'entries read by each process',
      perSecond: changed * Math.max(0, servers - 1),
      used: times({ ...nothing, postgresMicros, statements }, changed * Math.max(0, servers - 1)),
    },
    line('processes, idle', 'idle', servers),
    line('lanes, something not final', 'watching', load.watching),
    line('lanes, something under way', 'underWay', load.underWay),
    line('lanes, blocks checked', 'check', load.checks),
  ]
}

const nothing = Object.fromEntries(amountNames.map((name) => [name, 0])) as unknown as Amounts

/** The sum of lines. */
export function totalOf(lines: Line[]): Amounts {
  return lines.reduce((sum, { used }) => addAmounts(sum, used), nothing)
}

const times = (cost: Amounts, count: number): Amounts =>
  Object.fromEntries(amountNames.map((name) => [name, cost[name] * count])) as unknown as Amounts

const addAmounts = (a: Amounts, b: Amounts): Amounts =>
  Object.fromEntries(amountNames.map((name) => [name, a[name] + b[name]])) as unknown as Amounts
