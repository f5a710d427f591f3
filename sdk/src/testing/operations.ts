import { consequences, edges, type OperationId, operations } from '../generated/testing.ts'
import { amountsOf, hexOf, type Life, Refusal, type Row } from './life.ts'

/** A request to an operation; `id` is the one in its path. */
export interface Asked {
  id: string
  query: Record<string, string | undefined>
  body: object
  caller: string
  signal: AbortSignal
}

/** What operations return; a response takes what its example has. */
export type Modelled = Partial<Record<OperationId, (asked: Asked) => object | Promise<object>>>

/** The operations that `memoryMarketplace` models. */
export function modelled(life: Life): Modelled {
  const own = (kind: 'project' | 'bounty' | 'submission', role: string) => (asked: Asked) =>
    page(kind === 'bounty' ? 'bounties' : `${kind}s`, life.all(kind, role, asked.caller), asked)
  return {
    ...ofProjects(life),
    ...ofBounties(life),
    'agents.register'({ body }) {
      const agent = life.add('agent', { wallet_type: 'external', ...body })
      const managed = { wallet_address: hexOf(agent.id, 40), wallet_type: 'vendor_inapp' }
      Object.assign(agent, !agent.wallet_address && managed, { api_key: `bmk_${agent.id}` })
      life.record('agent.registered', agent, agent.id)
      return { agent }
    },
    'agents.me': ({ caller }) => ({
      agent: { ...life.all('agent', 'id', caller)[0], active_claims: life.claims(caller) },
    }),
    'agents.tasks': ({ caller }) => ({ tasks: tasksOf(life, caller), has_more: false }),
    'agents.projects': own('project', 'founder_id'),
    'agents.bounties': own('bounty', 'founder_id'),
    'agents.submissions': own('submission', 'agent_id'),
    'events.list': (asked) => eventsAfter(life, asked),
    'submissions.get'({ id, caller }) {
      const submission = life.get('submission', id)
      if (![submission.founder_id, submission.agent_id].includes(caller)) throw new Refusal('not_participant')
      return { submission }
    },
    'submissions.pullRequest'({ id }) {
      life.get('submission', id)
      return { pull_request: {} }
    },
    'config.public': () => ({ config: {} }),
    'payouts.get'({ id }) {
      const submission = life.get('submission', id)
      if (submission.status !== 'approved') throw new Refusal('payout_not_found')
      const receipt = { status: 'confirmed', tx_hash: hexOf(id, 64), confirmed_at: submission.reviewed_at }
      const amounts = amountsOf(life.get('bounty', String(submission.bounty_id)))
      return { payout: { ...submission, ...amounts, ...receipt } }
    },
  }
}

function ofProjects(life: Life): Modelled {
  const founded = ({ id, caller }: Asked) => {
    const project = life.get('project', id)
    if (project.founder_id !== caller) throw new Refusal('not_founder')
    return project
  }
  return {
    'projects.create'({ body, caller }) {
      const contracts = { repo_url: undefined, token_address: undefined, curve_address: undefined }
      const roles = { founder_id: caller, agent_id: caller }
      const project = life.add('project', { ...contracts, ...body, ...roles, status: 'proposed' })
      life.record('project.created', project, caller)
      return { project }
    },
    'projects.activate'(asked) {
      const project = founded(asked)
      if (project.status === 'active') throw new Refusal('project_already_active')
      const token_address = hexOf(asked.id, 40)
      const curve_address = hexOf(`c${asked.id.slice(-19)}`, 40)
      const created = { repo_url: `https://code-host.test/market/${asked.id}`, token_address, curve_address }
      Object.assign(project, created, { status: 'active' })
      life.record('project.activated', project, asked.caller, created)
      return { project }
    },
    'projects.get': ({ id }) => ({ project: life.get('project', id) }),
    'projects.list': (asked) => page('projects', life.all('project'), asked),
    'projects.submissions': (asked) =>
      page('submissions', life.all('submission', 'project_id', founded(asked).id).reverse(), asked),
    'bounties.create'(asked) {
      const { project_id, founder_id, agent_id, status, repo_url } = founded(asked)
      if (status !== 'active') throw new Refusal('token_not_deployed')
      const place = { project_id, founder_id, agent_id, repo_url, status: 'open', claimed_by: null }
      const bounty = life.add('bounty', { difficulty: 'medium', ...asked.body, ...place })
      life.record('bounty.created', bounty, asked.caller)
      return { bounty }
    },
  }
}

function ofBounties(life: Life): Modelled {
  const move = (name: keyof typeof edges) => (asked: Asked) => {
    const bounty = life.get('bounty', asked.id)
    const submission = life.move(name, bounty, asked.caller, asked.body)
    return { ...submission, ...bounty, bounty, submission, warnings: undefined }
  }
  return {
    'bounties.list'(asked) {
      const listed = life.all('bounty').filter(({ status }) => status !== 'cancelled')
      return page('bounties', listed, asked)
    },
    'bounties.get': ({ id }) => ({
      bounty: { ...life.get('bounty', id), submissions: life.all('submission', 'bounty_id', id) },
    }),
    'bounties.preflight'({ id, caller }) {
      const bounty = life.get('bounty', id)
      const reasons = life.unmet(edges.claim, bounty, caller)
      const approved = life.approvedWork(caller)
      const claim = { can_claim: reasons.length === 0, reasons, payable: bounty.status !== 'done' }
      const work = { ...approved, ...(approved.standing && { proof_hours: null }), revision: 1 }
      return { preflight: { min_approved: 0, ...bounty, ...amountsOf(bounty), ...claim, ...work } }
    },
    'bounties.claim': move('claim'),
    'bounties.release': move('release'),
    'bounties.submit': move('submit'),
    'bounties.requestChanges': move('requestChanges'),
    'bounties.reject': move('reject'),
    'bounties.cancel': move('cancel'),
    'bounties.approve'(asked) {
      const tx_hash = hexOf(move('approve')(asked).submission?.id ?? '', 64)
      const paid = move('pay')({ ...asked, body: {} })
      return { ...paid, contributor_tx_hash: tx_hash, platform_fee_tx_hash: tx_hash }
    },
  }
}

/** One page of a list: what the filters leave behind the row whose id the query has as its cursor. */
function page(key: string, rows: Row[], { query }: Asked) {
  const place = rows.findIndex(({ id }) => Object.values(query).includes(id))
  const filters = ['status', 'project_id', 'difficulty'].filter((name) => query[name] !== undefined)
  const wanted = rows.slice(place + 1).filter((row) => filters.every((name) => row[name] === query[name]))
  const from = Number(query.offset ?? 0)
  const limit = Number(query.limit ?? 20)
  const found = wanted.slice(from, from + limit)
  return { [key]: found, next: wanted.length > from + limit ? found.at(-1)?.id : null }
}

async function eventsAfter(life: Life, { query, caller, signal }: Asked) {
  const tip = () => life.all('event')[0]?.id ?? '0'
  const { after = tip(), wait = 0, limit = 20, types, project_id, bounty_id, mine } = query
  const isMine = ({ agent_id, actor_id, project_id: id }: Row) =>
    [agent_id, actor_id, life.all('project', 'id', id)[0]?.founder_id].includes(caller)
  const isWanted = (event: Row) =>
    (types?.split(',').includes(String(event.type)) ?? true) &&
    event.project_id === (project_id ?? event.project_id) &&
    event.bounty_id === (bounty_id ?? event.bounty_id) &&
    (mine !== 'true' || isMine(event))
  const isKnown = ({ id }: Row) => id === after
  const read = () => {
    const log = life.all('event').reverse()
    return log.slice(log.findIndex(isKnown) + 1).filter(isWanted)
  }
  const end = query.after === undefined ? 0 : Date.now() + 1000 * Number(wait)
  while (read().length === 0 && Date.now() < end && !signal.aborted)
    await life.happened(end - Date.now(), signal)
  const events = read().slice(0, Number(limit))
  const has_more = read().length > events.length
  const cursor = has_more ? events.at(-1)?.id : tip()
  const truncated = after !== '0' && !life.all('event').some(isKnown)
  return { events, cursor, has_more, truncated, pause_seconds: 0 }
}

function tasksOf(life: Life, caller: string): object[] {
  const founded = (kind: 'project' | 'submission', wanted: string) =>
    life.all(kind, 'founder_id', caller).filter(({ status }) => status === wanted)
  const claimed = life.claims(caller).filter(({ status }) => status === 'claimed')
  const tasks = [
    ...claimed.map((bounty) => {
      const [last] = life.all('submission', 'bounty_id', bounty.id)
      const isOfClaim = String(last?.created_at) >= String(bounty.claimed_at)
      const returned = last?.status === 'changes_requested' && isOfClaim ? last : undefined
      const submit = step('submit', 'bounties.submit', bounty.id, { pr_url: returned?.pr_url })
      const steps = [submit, step('release', 'bounties.release', bounty.id)]
      const due = { ...returned, ...bounty, revision: 1, due_at: bounty.claim_expires_at }
      if (!returned) return task('submit', 'final', due, steps)
      return task('revise', 'final', due, [step('read_review', 'submissions.get', returned.id), ...steps])
    }),
    ...founded('submission', 'pending').map((submission) => {
      const { id: submission_id, bounty_id, review_due_at: due_at } = submission
      const review = { submission_id, review_notes: undefined }
      return task('review', 'waiting', { ...submission, revision: 1, due_at }, [
        step('read_pull_request', 'submissions.pullRequest', submission_id),
        step('approve', 'bounties.approve', bounty_id, { submission_id, expected_head_sha: undefined }),
        step('request_changes', 'bounties.requestChanges', bounty_id, review),
        step('reject', 'bounties.reject', bounty_id, review),
      ])
    }),
    ...founded('project', 'proposed').map((project) =>
      task('activate', 'proposed', project, [step('activate', 'projects.activate', project.id)]),
    ),
  ]
  return tasks.sort((left, right) => (String(left.due_at) < String(right.due_at) ? -1 : 1))
}

function task(action: string, state: string, about: Row, [request, ...choices]: object[]) {
  const none = { bounty_id: null, submission_id: null, webhook_id: null, revision: null }
  const named = { id: `${action}:${about.id}`, action, consequence: consequences[action]?.[state] }
  return { due_at: null, ...none, ...about, ...named, request, choices }
}

/** A request; the values that are undefined are for the agent to add. */
function step(action: string, operation: OperationId, id: unknown, body?: Record<string, unknown>) {
  const [method, path = ''] = operations[operation].route.split(' ')
  const missing = Object.keys(body ?? {}).filter((name) => body?.[name] === undefined)
  return { action, operation, method, path: path.replace(/\{\w+\}/, String(id)), body: body ?? null, missing }
}
