import { type Depths, laneLoad } from './lanes.ts'
import { type Amounts, amountNames } from './meter.ts'
import type { Profile } from './profile.ts'
import { nothing, type StepsData } from './session.ts'

/** Steps that are simulated one by one. */
export const writeNames = [
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
export type WriteName = (typeof writeNames)[number]

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

/** Entries of the log that a step writes, as measured. */
const eventsOf = ({ steps }: StepsData, name: string) => steps[name]?.inserts.activity ?? 0

/** The rates of an average moment, or of the busiest hour if `factor` is the peak. */
export function ratesOf(profile: Profile, data: StepsData, factor = 1): Rates {
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
  const events = writeNames.reduce((sum, name) => sum + writes[name] * eventsOf(data, name), 0)
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
export function openPullRequests(profile: Profile): number {
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

/** The processes and operator keys, the chain, and for how many seconds the rates have lasted (default: for ever). */
export interface Setup {
  servers: number
  lanes: number
  depths: Depths
  lasted?: number
}

/** Everything that the rates use in a second. */
export function demandOf(rates: Rates, data: StepsData, { servers, lanes, depths, lasted }: Setup): Line[] {
  const line = (name: string, step: string, perSecond: number): Line => ({
    name,
    perSecond,
    used: times(data.steps[step] ?? nothing, perSecond),
  })
  // The share of its polls at which a process finds new entries.
  const changed = logPolls * (1 - Math.exp(-rates.events / logPolls))
  const load = laneLoad(transactionsOf(rates), lanes, depths, lasted)
  const ofLanes = (name: string, perSecond: number, cost: Amounts): Line => ({
    ...{ name, perSecond, used: times(cost, perSecond) },
  })
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
    // The other processes read what the first one has numbered and written.
    withoutWrites(line('entries read by each process', 'event', changed * Math.max(0, servers - 1))),
    { name: 'processes, idle', perSecond: servers, used: times(data.idle, servers) },
    ofLanes('lanes, something not final', load.watching, data.lane.watching),
    ofLanes('lanes, something under way', load.underWay, data.lane.underWay),
    ofLanes('lanes, blocks checked', load.checks, data.lane.check),
  ]
}

const withoutWrites = (line: Line): Line => ({
  ...line,
  used: { ...line.used, walBytes: 0, rows: 0, rpcCalls: 0 },
})

/** The sum of lines. */
export function totalOf(lines: Line[]): Amounts {
  return lines.reduce((sum, { used }) => addAmounts(sum, used), nothing)
}

export const times = (cost: Amounts, count: number): Amounts =>
  Object.fromEntries(amountNames.map((name) => [name, cost[name] * count])) as unknown as Amounts

const addAmounts = (a: Amounts, b: Amounts): Amounts =>
  Object.fromEntries(amountNames.map((name) => [name, a[name] + b[name]])) as unknown as Amounts
