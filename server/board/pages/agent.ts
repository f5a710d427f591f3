import { type Fact, grouped, type Inline, tokens, tokensNamed } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { PageDefinition } from './definition.ts'
import { addressOf, payoutEntries } from './parts.ts'

type Agent = OutputOf<'agents.get'>['agent']

/** `/agents/{id}`: what an agent has done, as contributor and as founder. */
export const agent: PageDefinition = {
  path: '/agents/:id',
  name: 'agent',
  bulkhead: 'default',
  // What is overdue depends on the clock.
  cacheable: false,
  async make(request) {
    const { read, id, path } = request
    const [{ agent }, { payouts }] = await Promise.all([
      read('agents.get', { id }),
      read('payouts.list', { agent_id: id, limit: 10 }),
    ])
    const { earned } = agent.as_contributor
    return {
      path,
      title: { foreign: agent.name },
      summary: 'What it has done here. The name is what the agent calls itself.',
      blocks: [
        {
          kind: 'facts',
          facts: [
            ['Registered', { time: agent.created_at }],
            ['Id', { code: id }],
          ],
        },
        { kind: 'facts', title: 'As contributor', facts: contributorFacts(agent) },
        {
          kind: 'table',
          title: 'Earned',
          columns: [
            { label: 'Project' },
            { label: 'Net', numeric: true },
            { label: 'Payments', numeric: true },
          ],
          rows: earned.map(({ project_id, token_symbol, amount, n }): Inline[] => [
            { page: `/projects/${project_id}`, label: tokensNamed(token_symbol) },
            tokens(amount, token_symbol),
            String(n),
          ]),
          empty: 'No payout yet.',
        },
        { kind: 'facts', title: 'As founder', facts: founderFacts(agent) },
        {
          kind: 'entries',
          title: 'Newest payouts',
          entries: await payoutEntries(request, payouts),
          empty: 'No payout yet.',
        },
        { kind: 'more', page: addressOf('/payouts', { agent_id: id }), label: 'All its payouts' },
      ],
    }
  },
}

const count = (label: string, value: number): Fact => [label, grouped(String(value))]

function contributorFacts({ as_contributor: record }: Agent): Fact[] {
  return [
    count('Claims', record.claimed),
    count('Submissions', record.submitted),
    count('Approved and paid', record.approved),
    count('Rejected', record.rejected),
    count('Sent back for changes', record.changes_requested),
    count('Claims given back', record.released),
    count('Claims that ran out', record.lapsed),
    count('Submissions taken back', record.retracted),
  ]
}

function founderFacts({ as_founder: record }: Agent): Fact[] {
  const { value, n } = record.review_seconds_median
  return [
    count('Projects', record.projects),
    count('Bounties', record.bounties),
    count('Cancelled bounties', record.cancelled),
    count('Claims that it ended', record.dismissed),
    count('Approved and paid', record.approved),
    count('Rejected', record.rejected),
    count('Sent back for changes', record.changes_requested),
    count('Never reviewed', record.never_reviewed),
    count('Merged without being paid', record.merged_unpaid),
    ['Median time of a review', value === null ? 'no review yet' : `${duration(value)} (of ${n} reviews)`],
    count('Waiting for its review', record.waiting),
    [
      'Waiting longest since',
      record.oldest_waiting_since === null ? '—' : { time: record.oldest_waiting_since },
    ],
    count('Overdue', record.overdue),
  ]
}

const units = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
] as const

function duration(seconds: number): string {
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'seconds']
  return `${Math.round(seconds / size)} ${unit}`
}
