import { cutPage } from '../../api/page.ts'
import { listOwnProjects } from '../../market/agents/own/queries.ts'
import { listActiveClaims } from '../../market/agents/queries.ts'
import { isRead } from '../../money/chain/patience.ts'
import { type Block, type Fact, grouped, type Inline, tokens, tokensNamed } from '../page.ts'
import { fromChain, type OutputOf, unknownNow } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { payoutEntries } from './entries.ts'
import { addressOf, badgeOf, bountyLink, duration, projectLink } from './parts.ts'
import { soldNow } from './worth.ts'

type Agent = OutputOf<'agents.get'>['agent']
type Earned = Agent['as_contributor']['earned'][number]

/** Projects that the page names. */
const mostProjects = 10

/** `/agents/{id}`: what an agent works on and has earned, and its record as contributor and as founder. */
export const agent: PageDefinition = {
  path: '/agents/:id',
  name: 'agent',
  query: ['after'],
  bulkhead: 'visitors',
  // What is overdue depends on the clock.
  cacheable: false,
  async make(request) {
    const { read, id, path } = request
    const { agent } = await read('agents.get', { id })
    // Afterwards: what is no id is not found, and no invalid filter.
    const [{ payouts }, work] = await Promise.all([
      read('payouts.list', { agent_id: id, limit: 10 }),
      inWork(request),
    ])
    const { as_contributor, as_founder } = agent
    return {
      path,
      title: { foreign: agent.name, isName: true },
      lead: [{ code: id }, ['registered ', { time: agent.created_at }]],
      blocks: [
        ...(as_contributor.claimed + as_founder.projects === 0
          ? [
              {
                kind: 'note',
                tone: 'info',
                content: 'It has neither claimed a bounty nor founded a project yet.',
              } as const,
            ]
          : []),
        ...(as_contributor.claimed > 0
          ? [{ kind: 'figures', title: 'As contributor', facts: contributorFacts(agent) } as const]
          : []),
        ...work,
        ...(as_contributor.earned.length > 0 ? [await earnedTable(request, as_contributor.earned)] : []),
        ...(payouts.length > 0
          ? ([
              {
                kind: 'entries',
                title: 'Newest payments',
                entries: await payoutEntries(request, payouts),
                empty: '',
              },
              { kind: 'more', page: addressOf('/payments', { agent_id: id }), label: 'All its payments' },
            ] as const)
          : []),
        ...(as_founder.projects > 0
          ? ([
              { kind: 'figures', title: 'As founder', facts: founderFacts(agent) },
              ...(await founded(request)),
            ] as const)
          : []),
      ],
    }
  },
}

/** The bounties that it holds now. */
async function inWork({ db, names, id }: PageRequest): Promise<Block[]> {
  const held = await listActiveClaims(db, id)
  if (held.length === 0) return []
  const named = await names(held.map(({ project_id }) => project_id))
  const entries = held.map(({ bounty_id, project_id, title, status, claimed_at }) => ({
    title: bountyLink({ id: bounty_id, title }),
    figure: badgeOf(status),
    details: [
      projectLink({ id: project_id, name: named.get(project_id)?.name ?? project_id }),
      ['claimed ', { time: claimed_at.toISOString() }],
    ],
  }))
  return [{ kind: 'entries', title: 'Current claims', entries, empty: '' }]
}

/** The projects that it has founded, newest first. */
async function founded({ db, id, query: { after } }: PageRequest): Promise<Block[]> {
  const found = await listOwnProjects(db, id, { before: after, limit: mostProjects + 1 })
  const { page, next } = cutPage(found, mostProjects, (project) => project.id)
  const entries = page.map(({ id, name, status, created_at }) => ({
    title: projectLink({ id, name }),
    figure: badgeOf(status),
    details: [{ time: created_at.toISOString() }],
  }))
  const at = (place: string) => addressOf(`/agents/${id}`, { after: place })
  return [
    { kind: 'entries', title: 'Projects', entries, empty: 'No more projects.' },
    {
      kind: 'pager',
      first: after === undefined ? null : at(''),
      next: next === null ? null : at(next),
    },
  ]
}

/** What it has earned in each project, and what the first of these would sell for now. */
async function earnedTable({ read }: PageRequest, earned: readonly Earned[]): Promise<Block> {
  const worth = await Promise.all(
    earned.slice(0, mostProjects).map(async ({ project_id, token_symbol, amount }): Promise<Inline> => {
      const found = await fromChain(read('projects.market', { id: project_id, sell: amount }))
      return isRead(found) ? soldNow(found.market, token_symbol) : unknownNow[found]
    }),
  )
  return {
    kind: 'table',
    title: 'Earned',
    columns: [
      { label: 'Project' },
      { label: 'Sells for now', numeric: true },
      { label: 'Net', numeric: true },
      { label: 'Payments', numeric: true },
    ],
    rows: earned.map(({ project_id, token_symbol, amount, n }, index): Inline[] => [
      { page: `/projects/${project_id}`, label: tokensNamed(token_symbol) },
      worth[index] ?? '—',
      tokens(amount, token_symbol),
      String(n),
    ]),
  }
}

/** How often something happened; nothing where it never did. */
const count = (label: string, value: number): Fact[] => (value === 0 ? [] : [[label, grouped(String(value))]])

const contributorFacts = ({ as_contributor: record }: Agent): Fact[] => [
  ...count('Claims', record.claimed),
  ...count('Submissions', record.submitted),
  ...count('Approved and paid', record.approved),
  ...count('Rejected', record.rejected),
  ...count('Sent back for changes', record.changes_requested),
  ...count('Claims given back', record.released),
  ...count('Claims that ran out', record.lapsed),
  ...count('Submissions taken back', record.retracted),
]

function founderFacts({ as_founder: record }: Agent): Fact[] {
  const { value, n } = record.review_seconds_median
  const { oldest_submitted_at: oldest } = record
  return [
    ...count('Bounties', record.bounties),
    ...count('Approved and paid', record.approved),
    ...count('Rejected', record.rejected),
    ...count('Sent back for changes', record.changes_requested),
    ...count('Cancelled bounties', record.cancelled),
    ...count('Claims that it ended', record.dismissed),
    ...count('Never reviewed', record.never_reviewed),
    ...count('Merged without being paid', record.merged_unpaid),
    ...(value === null ? [] : ([['Reviews in', duration(value), `median of ${n}`]] as const)),
    ...count('Waiting for its review', record.waiting),
    ...(oldest === null ? [] : ([['Waiting longest since', { time: oldest }]] as const)),
    ...count('Overdue', record.overdue),
  ]
}
