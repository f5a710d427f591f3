import type { ErrorCode } from '../generated/schema.ts'
import { type Edge, edges, operations } from '../generated/testing.ts'

/** A request that is refused, with a code of the service. */
export class Refusal extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message?: string) {
    super(message)
    this.code = code
  }
}

/** An agent, project, bounty, submission or event, with the ids of what it belongs to. Responses take from it what they show. */
export type Row = { id: string; [field: string]: unknown }

const prefixes = { agent: 'agent_', project: 'proj_', bounty: 'bnt_', submission: 'sub_', event: 'act_' }
type Kind = keyof typeof prefixes

/** What a move brings along: the submission that is meant, or what is submitted, and the review. */
type Brought = { submission_id?: string; pr_url?: string; review_notes?: string }

const { preflight } = operations['bounties.preflight'].example as { preflight: Record<string, number> }
const { config } = operations['config.public'].example as { config: { fees: { platform_bps: number } } }

/** What a marketplace knows, and how its bounties move: by the service's own table of edges. */
export class Life {
  readonly #rows: Row[] = []
  #nextEvent = new AbortController()

  add(kind: Kind, fields: object): Row {
    const id = prefixes[kind] + String(this.#rows.length + 1).padStart(20, '0')
    const row = { ...fields, id, [`${kind}_id`]: id, created_at: inHours() }
    this.#rows.push(row)
    return row
  }

  /** The rows of a kind that have this value in this field, the newest first. */
  all(kind: Kind, field = '', value?: unknown): Row[] {
    return this.#rows.filter((row) => row.id.startsWith(prefixes[kind]) && row[field] === value).reverse()
  }

  get(kind: 'project' | 'bounty' | 'submission', id: string): Row {
    const [row] = this.all(kind, 'id', id)
    if (!row) throw new Refusal(`${kind}_not_found`)
    if (row.status === 'cancelled') throw new Refusal('bounty_cancelled')
    return row
  }

  record(type: string, about: object, actor_id: string | null, data: object = {}): void {
    const none = { project_id: null, bounty_id: null, submission_id: null }
    this.add('event', { ...none, ...about, type, actor_id, data })
    this.#nextEvent.abort()
    this.#nextEvent = new AbortController()
  }

  /** Resolves at the next event, when the time is over, or when `signal` aborts. */
  happened(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      const wake = () => resolve(clearTimeout(timer))
      for (const source of [signal, this.#nextEvent.signal]) source.addEventListener('abort', wake)
    })
  }

  /** The bounties that the agent holds. */
  claims(agent: string): Row[] {
    return this.all('bounty', 'claimed_by', agent).filter(({ status }) => status !== 'done')
  }

  /** How many submissions of the agent were approved, and by how many founders: here buyers stand behind each payout. */
  approvedWork(agent: string): { approved_work: number; standing: number } {
    const approved = this.all('submission', 'agent_id', agent).filter(({ status }) => status === 'approved')
    const founders = approved.map(({ bounty_id }) => this.get('bounty', String(bounty_id)).founder_id)
    return { approved_work: approved.length, standing: new Set(founders).size }
  }

  /** What stands against a move but the statuses: the code of the role, then those of conditions. What is not modelled holds. */
  unmet(edge: Edge, bounty: Row, caller: string): ErrorCode[] {
    const { id, founder_id, claimed_by, status, project_id, min_approved } = bounty
    const isFounder = founder_id === caller
    const isHeld: Record<string, boolean> = {
      founder: isFounder,
      'any other agent': !isFounder,
      claimant: claimed_by === caller,
    }
    const fails: Partial<Record<ErrorCode, boolean>> = {
      bounty_not_open: status !== 'open',
      not_enough_approved_work: this.approvedWork(caller).standing < Number(min_approved ?? 0),
      active_claim_exists: this.claims(caller).some((one) => one.id !== id && one.project_id === project_id),
    }
    const ofRole = isHeld[edge.by] === false ? [edge.unlessBy ?? []].flat() : []
    return [...ofRole, ...edge.unless.filter((code) => fails[code])]
  }

  /** Moves a bounty, and its submission where the edge moves one. @returns that submission */
  move(name: keyof typeof edges, bounty: Row, caller: string, brought: Brought = {}): Row | undefined {
    const edge = edges[name]
    const [from, to] = edge.submission ?? []
    const review = this.all('submission', 'bounty_id', bounty.id).find(({ status }) => status === from)
    this.#check(edge, bounty, caller, review, brought.submission_id)
    const { project_id, bounty_id, founder_id, repo_url } = bounty
    if (name === 'submit' && !brought.pr_url?.startsWith(`${repo_url}/pull/`))
      throw new Refusal('pull_request_invalid')
    const given = { project_id, bounty_id, founder_id, agent_id: caller, pr_url: brought.pr_url }
    const submission = from === null ? this.add('submission', { ...unreviewed, ...given }) : review
    if (submission && to) Object.assign(submission, { status: to, ...reviewed(to, brought) })
    const [, status] = edge.bounty
    const claim_expires_at = status === 'claimed' ? inHours(preflight.lease_hours) : null
    Object.assign(bounty, { status, claim_expires_at })
    if (name === 'claim') Object.assign(bounty, { claimed_by: caller, claimed_at: inHours() })
    if (status === 'open') bounty.claimed_by = null
    const about = { ...bounty, agent_id: caller, ...submission }
    for (const type of edge.records)
      this.record(type, about, type === 'payout.confirmed' ? null : caller, details(type, bounty, submission))
    return submission
  }

  /** @throws Refusal for the role, then for the statuses, then for a condition */
  #check(edge: Edge, bounty: Row, caller: string, review: Row | undefined, meant = review?.id): void {
    const [unmet] = this.unmet(edge, bounty, caller)
    const isHere = edge.bounty[0].includes(String(bounty.status)) && (!edge.submission?.[0] || review)
    const misplaced = isHere ? undefined : edge.unlessFrom?.[0]
    const ofStatus = review && meant !== review.id ? 'submission_changed' : misplaced
    const refusal = unmet && unmet === edge.unlessBy ? unmet : (ofStatus ?? unmet)
    if (refusal) throw new Refusal(refusal)
  }
}

const { submission: unreviewed } = operations['submissions.get'].example as { submission: object }

/** What a status of a submission means for its other fields. */
function reviewed(status: string, { review_notes }: Brought) {
  if (status === 'pending') return { review_due_at: inHours(24 * (preflight.review_days ?? 0)) }
  const notes = review_notes === undefined ? {} : { review_notes }
  if (status === 'approving') return { ...notes, accepted_by: 'founder' }
  return { ...notes, reviewed_at: inHours(), review_due_at: null }
}

/** The data of an event. */
function details(type: string, bounty: Row, submission: Row | undefined): object {
  const tx_hash = hexOf(submission?.id ?? '', 64)
  if (type === 'payout.confirmed') return { tx_hash }
  if (type !== 'submission.approved') return {}
  // Amounts have at most four decimals, and a token 10¹⁸ base units.
  const inBaseUnits = (amount: string) => String(BigInt(Math.round(Number(amount) * 10_000)) * 10n ** 14n)
  const { fee, net } = amountsOf(bounty)
  const paid = { fee: inBaseUnits(fee), net: inBaseUnits(net), accepted_by: 'founder' }
  return { ...paid, contributor_tx_hash: tx_hash, platform_fee_tx_hash: tx_hash }
}

/** What a reward is made of, in whole tokens. */
export function amountsOf({ reward_amount }: Row): { gross: string; fee: string; net: string } {
  const share = (bps: number) => String((Number(reward_amount) * bps) / 10_000)
  const { platform_bps: bps } = config.fees
  return { gross: share(10_000), fee: share(bps), net: share(10_000 - bps) }
}

/** The number in an id as an address or a hash. */
export const hexOf = (id: string, digits: number): string => `0x${id.slice(-20).padStart(digits, '0')}`

/** The time in so many hours, as the service writes it. */
export const inHours = (hours = 0): string => new Date(Date.now() + hours * 3_600_000).toISOString()
