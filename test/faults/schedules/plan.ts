import { createRandom, type Random } from '../../support/random.ts'
import type { Switch } from '../child/kill-switch.ts'
import type { GitHubFault } from '../proxies/github.ts'
import type { RpcFault } from '../proxies/rpc.ts'
import { nodeNames, type Wording } from '../proxies/wordings.ts'
import type { KeyMode } from '../support/founder.ts'
import type { WantedWithdrawal } from '../support/holder.ts'
import type { FinalFault } from './final-fault.ts'
import { drawLateFault, drawRules, type PlannedRule } from './ruling.ts'

/** A fault and when it begins, in ms after the service is ready. */
export type Fault =
  | {
      what: 'rpc'
      at: number
      on: 'send' | 'read' | 'receipt' | 'logs' | 'any'
      after: number
      times: number
      share: number
      fault: RpcFault
    }
  | { what: 'commit cut'; at: number; when: 'before' | 'after'; after: number }
  | { what: 'database cut'; at: number }
  | { what: 'database stalled' | 'database gone' | 'database read-only'; at: number; ms: number }
  | { what: 'reorganisation'; at: number; depth: number }
  | { what: 'mempool dropped'; at: number }
  | { what: 'base fee'; at: number; factor: number; ms: number }
  | { what: 'no blocks'; at: number; ms: number }
  | { what: 'paused'; at: number; ms: number }
  | { what: 'approval revoked'; at: number; ms: number }
  | { what: 'github'; at: number; on: 'create' | 'any'; fault: GitHubFault }
  | { what: 'killed'; at: number; slot: number }
  | { what: 'clients gone'; at: number }
  /** Somebody else sends a withdrawal that is on its way. */
  | { what: 'relayed from outside'; at: number }
  /** Time passes on the chain until no signature is valid any more. */
  | { what: 'signatures expired'; at: number }

/** Faults that are nothing but a moment. */
type Momentary = Extract<
  Fault,
  {
    what: 'database cut' | 'mempool dropped' | 'clients gone' | 'relayed from outside' | 'signatures expired'
  }
>

/** Everything about a schedule; it follows from its seed alone. */
export interface Plan {
  seed: number
  /** The switches of each process of each slot. */
  slots: Switch[][][]
  restartMs: number
  sleepMs: number
  clocks: number[]
  operators: number
  confirmations: number
  poolSize: number
  automine: boolean
  blockMs: number
  approvals: { submission: number; at: number; keyMode: KeyMode; impatientMs?: number }[]
  activations: { proposal: number; at: number; keyMode: KeyMode }[]
  withdrawals: (Omit<WantedWithdrawal, 'strict'> & { at: number })[]
  /** Bounties with dollars that are cancelled. */
  cancellations: { funded: number; at: number }[]
  /** Attempts to end the review of what is being approved without a payment. */
  endings: { submission: number; at: number; how: Ending }[]
  /** Contributors that change their wallet. */
  moves: { submission: number; at: number }[]
  faults: Fault[]
  /** Approved one by one, each with a fault that cannot miss it, until three faults have met a target. */
  reserve: { submission: number; fault: Fault }[]
  finalFault: FinalFault
  /** What happens to work on bounties with a rule. */
  rules: PlannedRule[]
  databaseLoops: true
}

/** Every way in which a review ends without a payment. */
const endings = ['rejected', 'changes_requested', 'retracted'] as const
/** How a review ends without a payment. */
export type Ending = (typeof endings)[number]
/** Not drawn, so that the plans of the seeds stay as they were when only rejecting ended a review. */
export const endingOf = (number: number) => endings[number % endings.length] as Ending

/** Faults come within this time. */
const spanMs = 1200
const hour = 3_600_000
const steps = [
  'intent stored',
  'attempt signed',
  'attempt stored',
  'attempt sent',
  'send recorded',
  'receipt seen',
  'outcome stored',
  'answer ready',
]
const replacementSteps = ['replacement stored', 'replacement sent']
const withdrawalSteps = ['signature made', 'settlement found']
const activationSteps = ['repository created', 'repository recorded', 'deploy queued']

/** Least number of faults that have to meet a target in each schedule. */
export const leastStruck = 3

/** The schedule of a seed: its requests and its faults. */
export function drawPlan(seed: number): Plan {
  const random = createRandom(seed)
  const all = [0, 1, 2, 3, 4, 5]
  const processes = random.int(1, 2)
  const activations = random.chance(0.4) ? 1 : 0
  const submissions = random.some(all, random.int(2, 4))
  const plan: Plan = {
    seed,
    slots: Array.from({ length: processes }, () => []),
    restartMs: random.int(0, 300),
    // Longer than a lease, so that a process that wakes finds another one in its place.
    sleepMs: random.int(1200, 2600),
    clocks: Array.from({ length: processes }, () => random.pick([0, 0, 0, hour, -hour])),
    operators: random.int(1, 3),
    confirmations: random.int(1, 3),
    poolSize: random.pick([2, 3, 10]),
    automine: random.chance(0.5),
    blockMs: random.int(60, 350),
    approvals: submissions.map((submission) => ({
      submission,
      at: random.int(0, spanMs * 0.8),
      keyMode: random.pick(['same', 'fresh', 'none'] as const),
      ...(random.chance(0.3) && { impatientMs: random.int(20, 400) }),
    })),
    activations: random.some([0, 1], activations).map((proposal) => ({
      proposal,
      at: random.int(0, spanMs / 3),
      keyMode: random.pick(['same', 'none'] as const),
    })),
    withdrawals: Array.from({ length: random.int(0, 3) }, () => drawWithdrawal(random)),
    cancellations: [],
    endings: submissions
      .filter(() => random.chance(0.12))
      .map((submission) => ({ submission, at: random.int(0, spanMs), how: endingOf(seed + submission) })),
    moves: submissions
      .filter(() => random.chance(0.2))
      .map((submission) => ({ submission, at: random.int(0, spanMs) })),
    faults: [],
    reserve: [],
    finalFault: { what: 'settled payment reorganised', heads: random.int(2, 3) },
    rules: [],
    databaseLoops: true,
  }
  const count = random.int(4, 7)
  for (let drawn = 0; drawn < count; drawn++) {
    if (random.chance(0.35)) addSwitch(plan, random, drawn)
    else plan.faults.push(drawFault(plan, random))
  }
  plan.reserve = all
    .filter((submission) => !submissions.includes(submission))
    .map((submission) => ({ submission, fault: drawSureFault(random) }))
  if (canFallBack(plan) && random.chance(0.6)) plan.finalFault = { what: 'database fallen back' }
  // Of its own numbers, so that all else of the seeds stays as it was.
  plan.faults.push(drawLie(createRandom(seed + 1_000_000)))
  plan.cancellations = drawCancellations(createRandom(seed + 2_000_000))
  const ofRules = createRandom(seed + 3_000_000)
  plan.rules = drawRules(ofRules)
  plan.faults.push(drawLateFault(ofRules, processes))
  return plan
}

function drawCancellations(random: Random): Plan['cancellations'] {
  return random.some([0, 1], random.int(0, 2)).map((funded) => ({ funded, at: random.int(0, spanMs) }))
}

/** At most so many tokens that each wallet can pay for all of them, and its curve too. */
function drawWithdrawal(random: Random): Plan['withdrawals'][number] {
  const as = random.pick(['tokens', 'eth'] as const)
  return {
    at: random.int(0, spanMs * 0.8),
    holder: random.int(0, 1),
    tokens: random.int(1, 40),
    as,
    ...(as === 'eth' && random.chance(0.3) && { minEth: '0.000000001' }),
    ...(random.chance(0.3) && { impatientMs: random.int(20, 400) }),
    isTwice: random.chance(0.3),
  }
}

/** Only payments and withdrawals are forgotten: the oracle does not know what becomes of forgotten projects and wallets. */
function canFallBack({ activations, moves }: Plan): boolean {
  return activations.length === 0 && moves.length === 0
}

/** A moment at which there is unfinished work. */
function drawTime({ approvals, withdrawals }: Plan, random: Random): number {
  return random.pick([...approvals, ...withdrawals]).at + random.int(0, 300)
}

/** A fault that is armed before its target comes: a payout may be over before others see it. */
function drawSureFault(random: Random): Fault {
  return random.pick<Fault>([
    { what: 'commit cut', at: 0, when: random.pick(['before', 'after'] as const), after: 0 },
    { what: 'rpc', at: 0, on: 'send', after: 0, times: 1, share: 1, fault: drawSendFault(random) },
  ])
}

/** What nodes and providers leave out, or say in words of their own, for a while. */
function drawLie(random: Random): Fault {
  const [on, fault] = random.pick<['receipt' | 'logs' | 'read', RpcFault]>([
    ['logs', { kind: 'unlisted logs' }],
    ['logs', { kind: 'few logs', most: random.int(1, 10) }],
    ['receipt', { kind: 'no status' }],
    ['read', { kind: 'bare refusal' }],
  ])
  return { what: 'rpc', at: random.int(0, spanMs), on, after: 0, times: random.int(3, 60), share: 1, fault }
}

/** A step at which the first process that reaches it is killed or stopped. */
function addSwitch(plan: Plan, random: Random, number: number): void {
  const step = random.pick([
    ...steps,
    ...replacementSteps,
    ...(plan.confirmations > 1 ? ['receipt recorded'] : []),
    ...(plan.activations.length > 0 ? activationSteps : []),
    ...(plan.withdrawals.length > 0 ? withdrawalSteps : []),
  ])
  if (replacementSteps.includes(step)) plan.faults.push(refusedForFees(drawTime(plan, random)))
  const one: Switch = {
    step,
    nth: step === 'intent stored' || random.chance(0.7) ? 1 : 2,
    // A stopped process does nothing: another one has to be there to take over.
    action: plan.slots.length > 1 && random.chance(0.6) ? 'stop' : 'kill',
    once: String(number),
  }
  for (const lives of plan.slots)
    for (let life = 0; life < armedLives; life++) lives[life] = [...(lives[life] ?? []), one]
}

/** Only the first processes of a slot have switches. */
const armedLives = 4

/** No replacement is made as long as nodes take what they are offered. */
function refusedForFees(at: number): Fault {
  const fault = { kind: 'wording', wording: 'underpriced', node: 'geth', accepted: false } as const
  return { what: 'rpc', at, on: 'send', after: 0, times: 4, share: 1, fault }
}

function drawFault(plan: Plan, random: Random): Fault {
  const at = drawTime(plan, random)
  const ms = random.int(150, 900)
  const kind = random.pick([
    ...Array(6).fill('rpc send'),
    ...Array(5).fill('rpc read'),
    ...Array(2).fill('commit cut'),
    ...Array(3).fill('reorganisation'),
    ...(plan.activations.length > 0 ? Array(4).fill('github') : []),
    'database cut',
    'database stalled',
    'database gone',
    'database read-only',
    ...(plan.automine ? [] : ['mempool dropped', 'no blocks']),
    ...(plan.withdrawals.length > 0 ? Array(2).fill('relayed from outside') : []),
    ...(plan.withdrawals.length > 0 ? Array(2).fill('signatures expired') : []),
    'base fee',
    'base fee',
    'paused',
    ...(plan.approvals.some(({ submission }) => submission > 3) ? ['approval revoked'] : []),
    'killed',
    'killed',
    'clients gone',
  ] as string[])
  switch (kind) {
    case 'rpc send':
      return { what: 'rpc', at, on: 'send', ...drawAim(random), fault: drawSendFault(random) }
    case 'rpc read':
      return { what: 'rpc', at, ...drawReadFault(random), ...drawAim(random, 12) }
    case 'commit cut':
      return { what: kind, at, when: random.pick(['before', 'after'] as const), after: random.int(0, 8) }
    case 'database stalled':
    case 'database gone':
    case 'database read-only':
    case 'no blocks':
    case 'paused':
    case 'approval revoked':
      return { what: kind, at, ms }
    case 'reorganisation':
      return { what: kind, at, depth: random.int(1, 3) }
    case 'base fee':
      return { what: kind, at, factor: 10, ms }
    case 'github':
      return { what: kind, at: 0, ...drawGitHubFault(random) }
    case 'killed':
      return { what: kind, at, slot: random.int(0, plan.slots.length - 1) }
    default:
      return { what: kind as Momentary['what'], at }
  }
}

function drawAim(random: Random, most = 4) {
  return {
    after: random.int(0, 2),
    times: random.int(1, most),
    share: random.pick([1, 1, 0.5]),
  }
}

function drawSendFault(random: Random): RpcFault {
  const common = drawTransportFault(random)
  const wording = random.pick([
    'known',
    'nonceTooLow',
    'nonceTooHigh',
    'underpriced',
    'poolFull',
    'belowBaseFee',
    'noMoney',
  ] as Wording[])
  return random.pick<RpcFault>([
    common,
    { kind: 'answer lost' },
    { kind: 'swallowed' },
    { kind: 'wording', wording, node: random.pick(nodeNames), accepted: random.chance(0.5) },
    { kind: 'wording', wording, node: random.pick(nodeNames), accepted: random.chance(0.5) },
  ])
}

function drawReadFault(random: Random): { on: 'read' | 'receipt' | 'any'; fault: RpcFault } {
  return random.pick<{ on: 'read' | 'receipt' | 'any'; fault: RpcFault }>([
    { on: 'any', fault: drawTransportFault(random) },
    { on: 'read', fault: drawTransportFault(random) },
    { on: 'read', fault: { kind: 'stale', behind: random.int(1, 4) } },
    { on: 'read', fault: { kind: 'stale', behind: random.int(1, 4) } },
    { on: 'receipt', fault: { kind: 'no receipt' } },
    { on: 'receipt', fault: { kind: 'foreign receipt' } },
  ])
}

function drawTransportFault(random: Random): RpcFault {
  return random.pick<RpcFault>([
    { kind: 'request lost' },
    { kind: 'status', status: random.pick([429, 500, 502, 503] as const) },
    { kind: 'html' },
    { kind: 'truncated' },
    { kind: 'wrong id' },
    { kind: 'late', ms: random.int(100, 700) },
  ])
}

function drawGitHubFault(random: Random): { on: 'create' | 'any'; fault: GitHubFault } {
  const fault = random.pick<GitHubFault>([
    { kind: 'answer lost' },
    { kind: 'answer lost' },
    { kind: 'server error' },
    { kind: 'limited', seconds: 1 },
    { kind: 'late', ms: random.int(200, 1500) },
    { kind: 'token expired' },
  ])
  return { on: random.pick(['create', 'any'] as const), fault }
}
