import type { ApiError, Marketplace } from '../../../sdk/src/index.ts'

/** Opens a pull request on a project's repository. */
type OpenPullRequest = (project: { repo_url: string }) => Promise<string>

/**
 * A short life of a project, with everything that is refused on its way.
 * @returns a line for each response and for what it says, without ids and times, so that two marketplaces can be compared
 */
export async function shortLife(anyone: Marketplace, pullRequest: OpenPullRequest): Promise<string[]> {
  const lines: string[] = []
  const names = new Map<string | null, string>([[null, 'nobody']])
  const say = (what: string, value: unknown) => void lines.push(`${what} ${JSON.stringify(value)}`)
  const onResponse = ({ operation, status }: { operation: string; status: number }) =>
    void lines.push(`${operation} ${status}`)
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => lines.push('was not refused'),
      (error: ApiError) => lines.push(error.code),
    )
  async function join(name: string): Promise<Marketplace> {
    const { agent } = await anyone.agents.register({ name })
    names.set(agent.id, name)
    return anyone.with({ apiKey: agent.api_key, onResponse, maxRetries: 0 })
  }
  async function sayTasks(agent: Marketplace) {
    for (const { action, request, choices } of (await agent.agents.tasks()).tasks) {
      const modelled = [request, ...choices].filter(({ operation }) => operation !== 'bounties.extend')
      if (action !== 'merge')
        say(
          action,
          modelled.map(({ action, operation, method, body, missing }) => [
            action,
            operation,
            method,
            missing,
            Object.keys(body ?? {}),
          ]),
        )
    }
  }
  async function sayPreflight(agent: Marketplace, id: string) {
    const { can_claim, reasons, net, payable, approved_work, standing, min_approved, proof_hours } = (
      await agent.bounties.preflight(id)
    ).preflight
    const proof = proof_hours !== null
    say('preflight', { can_claim, reasons, net, payable, approved_work, standing, min_approved, proof })
  }

  const founder = await join('founder')
  const worker = await join('worker')
  const other = await join('other')
  await refused(anyone.agents.me())
  const proposal = { name: 'Short', description: 'Life.', token_symbol: 'LIFE', token_supply: 100_000 }
  const { id: projectId } = (await founder.projects.create(proposal)).project
  say('proposed', Object.keys((await founder.projects.get(projectId)).project).sort())
  await sayTasks(founder)
  const work = { title: 'Work', description: 'To be done.', reward_amount: 7 }
  await refused(founder.bounties.create(projectId, work))
  await refused(worker.projects.activate(projectId))
  await refused(worker.projects.activate('proj_none'))
  const { project } = await founder.projects.activate(projectId)
  await refused(founder.projects.activate(projectId))
  await refused(worker.bounties.create(projectId, work))
  const create = async (more = {}) => (await founder.bounties.create(projectId, { ...work, ...more })).bounty
  const first = await create()
  const second = await create()
  const selective = await create({ min_approved: 1 })
  say('defaults', [first.difficulty, first.status])

  await refused(worker.bounties.claim('bnt_none'))
  await refused(founder.bounties.claim(first.id))
  await sayPreflight(founder, selective.id)
  await refused(worker.bounties.claim(selective.id))
  const { bounty: claimed } = await worker.bounties.claim(first.id)
  say('claimed', [claimed.status, names.get(claimed.claimed_by)])
  await sayTasks(worker)
  await sayPreflight(worker, second.id)
  await sayPreflight(worker, selective.id)
  await sayPreflight(other, first.id)
  for (const agent of [worker, other]) await refused(agent.bounties.claim(first.id))
  await refused(worker.bounties.claim(second.id))
  let pr_url = await pullRequest(project)
  await refused(other.bounties.submit(first.id, { pr_url }))
  await refused(worker.bounties.submit(first.id, { pr_url: 'https://elsewhere.test/pull/1' }))

  const review = { review_notes: 'Please add a test.' }
  for (const end of ['requestChanges', 'reject'] as const) {
    const { submission } = await worker.bounties.submit(first.id, { pr_url })
    say('submitted', [submission.status, names.get(submission.agent_id)])
    await sayTasks(founder)
    await refused(worker.bounties.submit(first.id, { pr_url }))
    await refused(worker.bounties.release(first.id))
    await refused(founder.bounties.cancel(first.id))
    await refused(worker.bounties[end](first.id, review))
    await refused(founder.bounties[end](first.id, { ...review, submission_id: 'sub_none' }))
    say('ended', (await founder.bounties[end](first.id, { ...review, submission_id: submission.id })).status)
    await refused(founder.bounties[end](first.id, review))
    await sayTasks(worker)
    pr_url = await pullRequest(project)
  }
  await refused(worker.bounties.submit(first.id, { pr_url }))
  await worker.bounties.claim(first.id)
  await sayTasks(worker)
  const { submission } = await worker.bounties.submit(first.id, { pr_url })
  await refused(worker.payouts.get(submission.id))
  await refused(other.submissions.get(submission.id))
  await refused(other.submissions.get('sub_none'))
  await refused(worker.bounties.approve(first.id))
  await refused(founder.bounties.approve(first.id, { submission_id: 'sub_none' }))
  say('approved', (await founder.bounties.approve(first.id, { review_notes: 'Thank you.' })).status)
  await refused(founder.bounties.approve(first.id))
  await refused(other.bounties.claim(first.id))
  const { gross, fee, net, status } = (await worker.payouts.get(submission.id)).payout
  say('receipt', { gross, fee, net, status })

  const lists = [() => worker.agents.submissions(), () => founder.projects.submissions(projectId)]
  for (const list of lists)
    for (const one of (await list()).submissions)
      say('submission', [
        one.status,
        one.review_notes,
        one.accepted_by,
        one.reviewed_at !== null,
        one.review_due_at !== null,
      ])
  await other.bounties.claim(second.id)
  say('claims', (await other.agents.me()).agent.active_claims.length)
  say('released', (await other.bounties.release(second.id)).status)
  say('cancelled', (await founder.bounties.cancel(second.id)).status)
  await refused(other.bounties.claim(second.id))
  await refused(other.bounties.get(second.id))
  await sayPreflight(worker, selective.id)
  await worker.bounties.claim(selective.id)
  const { bounties } = await anyone.bounties.list({ project_id: projectId })
  say(
    'listed',
    bounties.map(({ status }) => status),
  )

  const seen = worker.events.stream({ after: '0', project_id: projectId })
  for await (const { type, agent_id, actor_id, data, bounty_id, submission_id } of seen) {
    const references = [bounty_id !== null, submission_id !== null]
    say(type, [names.get(agent_id), names.get(actor_id), Object.keys(data).sort(), ...references])
    if (type === 'bounty.claimed' && bounty_id === selective.id) break
  }
  const { events } = await worker.events.list({ after: '0', mine: 'true', project_id: projectId, limit: 100 })
  say(
    'mine',
    events.map(({ type }) => type),
  )
  // How often a stream asks is its own matter.
  return lines.filter((line) => !line.startsWith('events.list'))
}
