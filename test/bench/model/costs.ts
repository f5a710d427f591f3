/** What is counted of a step, or used in a second. */
const amountNames = [
  'nodeMicros',
  /** Of the whole Postgres server, its background processes included. */
  'postgresMicros',
  'statements',
  /** Without images of whole pages. */
  'walBytes',
  'rpcCalls',
  /** Requests to the code host that sent content, that found nothing new (304), and that wrote. */
  'hostReads',
  'hostUnchanged',
  'hostWrites',
  /** Bytes of rows that stay, with their indexes. */
  'storedBytes',
  /** Entries of the event log. */
  'entries',
] as const

export type Amounts = Record<(typeof amountNames)[number], number>

export const amounts = (of: (name: keyof Amounts, index: number) => number): Amounts =>
  Object.fromEntries(amountNames.map((name, index) => [name, of(name, index)])) as Amounts

const cost = (...values: number[]) => amounts((_, index) => values[index] ?? 0)

/**
 * What each step costs, less what an idle process uses in that time; columns as in `amountNames`. Measured on
 * 2026-11-23 at commit 184fcdb on two cores of an AMD EPYC, each step some hundred times on a real service: processor
 * time from /proc, statements from pg_stat_statements, the log from pg_walinspect, the rest by counting proxies. Polls
 * came a hundred a second and payouts one a second, as one process gets them.
 */
export const costs = {
  register: cost(14_600, 1960, 7.42, 3160, 0, 0, 0, 0, 1180, 1),
  createProject: cost(3000, 2750, 7.4, 6450, 0, 0, 0, 0, 440, 1),
  activate: cost(69_800, 24_200, 55.9, 18_200, 20.1, 2, 0, 5, 1900, 1),
  createBounty: cost(4100, 1240, 3.08, 7300, 1.99, 0, 0, 0, 2290, 1),
  claim: cost(818, 935, 2.03, 3790, 0, 0, 0, 0, 440, 1),
  submit: cost(5400, 1760, 7.11, 6570, 0, 3, 0, 0, 2110, 1),
  firstReading: cost(3670, 1300, 5.24, 1270, 0, 0, 3),
  reading: cost(3930, 1490, 5.25, 2210, 0, 0, 3),
  reject: cost(3990, 3550, 14.3, 3960, 1.07, 0, 0, 0, 440, 1),
  approve: cost(6720, 10_400, 12.1, 3960, 14.1, 0, 0, 0, 4190, 2),
  merge: cost(11_600, 5330, 18.7, 5170, 0.0606, 0, 3.1, 1, 906, 1),
  withdraw: cost(22_100, 16_700, 50.1, 7630, 24, 0, 0, 0, 3230, 2),
  /** What another process has numbered and written. */
  entriesRead: cost(0, 1140, 1.25),
  delivery: cost(824, 1370, 2.85, 2310, 0, 0, 0, 0, 440, 1),
  pollTasks: cost(988, 688, 2),
  pollBounty: cost(948, 223, 1.92),
  pollList: cost(914, 176, 1.23),
  waitInVain: cost(291, 42.5, 0.997),
  wake: cost(8, 0.501, 0, 0.469),
  news: cost(197, 22, 1.01),
  idle: cost(29_300, 16_400, 9.61, 15_900, 0.967),
  watching: cost(0, 0, 0, 0, 5.29),
  underWay: cost(11_900, 6450, 2.68, 0, 5.93),
  check: cost(692, 0, 0.124, 0, 1.01),
}

export type CostName = keyof typeof costs
