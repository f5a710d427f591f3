import { createRandom } from '../../../support/random.ts'
import { ids, type Sizes } from '../../seeding/rows.ts'
import { markers } from '../../seeding/text.ts'
import { zipf } from '../../seeding/zipf.ts'

/** An operation whose cost is measured at several sizes. */
export interface GrowthRequest {
  name: string
  /** What its cost is held to. */
  goal: 'flat' | 'selective keyword' | 'keyword' | 'keyword without a trigram' | 'deep'
  /** The address of a turn; different ones, so that no response is asked for twice. */
  path(turn: number): string
  /** Whose API key is sent; nobody's for public reads. */
  caller?: Caller
}

/** An agent with an API key, and the one that founded the biggest seeded project. */
export type Caller = 'any agent' | 'the founder'

function query(values: Record<string, string | number>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) parameters.set(name, String(value))
  return parameters.toString()
}

/** Every read of the API, lists with each filter, keywords of every kind, and deep pages. */
export function growthRequests(sizes: Sizes, activityIds: string[]): GrowthRequest[] {
  const random = createRandom(99)
  const popular = zipf(sizes.projects, 0.9)
  const draws: Draws = {
    bounty: () => ids.bounty(random.below(sizes.bounties)),
    project: () => ids.project(random.below(sizes.projects)),
    popularProject: () => ids.project(popular(random)),
    activity: () => activityIds[random.below(activityIds.length)] as string,
    founder: () => ids.agent(random.below(sizes.projects) % sizes.agents),
    agent: () => ids.agent(random.below(sizes.agents)),
    page: () => ({ limit: 16 + random.below(9), offset: random.below(12) }),
  }
  return [...lists(draws), ...others(draws), ...records(draws), ...searches(draws), ...deepPages(sizes)]
}

/** Ids, and pages of some twenty rows, different ones each time: what is asked for again is answered from memory. */
interface Draws
  extends Record<'bounty' | 'project' | 'popularProject' | 'activity' | 'founder' | 'agent', () => string> {
  page: () => { limit: number; offset: number }
}

const list = (name: string, values: (turn: number) => Record<string, string | number>): GrowthRequest => ({
  name,
  goal: 'flat',
  path: (turn) => `/api/bounties?${query(values(turn))}`,
})

const lists = ({ popularProject, page }: Draws): GrowthRequest[] => [
  list('bounties', (turn) => ({ offset: turn })),
  list('bounties, status', (turn) => ({ status: turn % 2 ? 'open' : 'done', offset: turn })),
  list('bounties, rare status', (turn) => ({ status: turn % 2 ? 'claimed' : 'in_review', offset: turn })),
  list('bounties, difficulty', (turn) => ({ difficulty: 'hard', offset: turn })),
  list('bounties, status and difficulty', (turn) => ({ status: 'open', difficulty: 'easy', offset: turn })),
  list('bounties, biggest project', (turn) => ({ project_id: ids.project(0), offset: turn })),
  list('bounties, some project', () => ({ project_id: popularProject(), ...page() })),
  list('bounties, project and status', () => ({
    project_id: popularProject(),
    status: 'claimed',
    ...page(),
  })),
  list('bounties, project and difficulty', () => ({
    project_id: popularProject(),
    difficulty: 'extreme',
    ...page(),
  })),
  list('100 bounties', (turn) => ({ limit: 100, offset: turn })),
]

function others({ bounty, project, popularProject, activity, page }: Draws): GrowthRequest[] {
  const read = (name: string, path: (turn: number) => string): GrowthRequest => ({ name, goal: 'flat', path })
  return [
    read('bounty by id', () => `/api/bounties/${bounty()}`),
    read('projects', () => `/api/projects?${query(page())}`),
    read('projects, status', () => `/api/projects?${query({ status: 'active', ...page() })}`),
    read('project by id', () => `/api/projects/${project()}`),
    read('activity', (turn) => `/api/activity?${query({ limit: 10 + (turn % 80) })}`),
    read('activity, an old page', () => `/api/activity?${query({ after: activity() })}`),
    read(
      'activity, a project',
      () => `/api/activity?${query({ project_id: popularProject(), limit: page().limit })}`,
    ),
    read('statistics', () => '/api/dashboard/stats'),
  ]
}

/** What agents read with their keys: records of others, and lists of what is theirs. */
function records({ founder, agent, page }: Draws): GrowthRequest[] {
  const read = (name: string, caller: Caller, path: () => string): GrowthRequest => ({
    ...{ name, goal: 'flat', caller, path },
  })
  const limited = (values: Record<string, string> = {}) => query({ ...values, limit: page().limit })
  const queue = `/api/projects/${ids.project(0)}/submissions`
  return [
    read('record of a founder', 'any agent', () => `/api/agents/${founder()}`),
    read('record of an agent', 'any agent', () => `/api/agents/${agent()}`),
    read('own projects', 'the founder', () => `/api/agents/me/projects?${limited()}`),
    read('own bounties', 'the founder', () => `/api/agents/me/bounties?${limited()}`),
    read(
      'own bounties, status',
      'the founder',
      () => `/api/agents/me/bounties?${limited({ status: 'done' })}`,
    ),
    read('own submissions', 'the founder', () => `/api/agents/me/submissions?${limited()}`),
    read('review queue', 'the founder', () => `${queue}?${limited({ status: 'pending' })}`),
    read('review queue, every status', 'the founder', () => `${queue}?${limited()}`),
  ]
}

function searches({ page }: Draws): GrowthRequest[] {
  const search = (
    name: string,
    goal: GrowthRequest['goal'],
    q: string,
    more: Record<string, string> = {},
  ): GrowthRequest => ({
    ...list(`keyword: ${name}`, () => ({ q, ...more, ...page() })),
    goal,
  })
  return [
    search('selective', 'selective keyword', markers[0].word),
    search('one of a thousand', 'selective keyword', markers[1].word),
    search('nothing found', 'selective keyword', 'xylophonist'),
    search('one of a hundred', 'keyword', 'election'),
    search('common word', 'keyword', 'cursor'),
    search('most common word', 'keyword', 'the'),
    search('trigrams of common words', 'keyword', 'database'),
    search('common, with a status', 'keyword', 'error', { status: 'in_review' }),
    search('one of a thousand, with a status', 'keyword', markers[1].word, { status: 'in_review' }),
    search('two letters', 'keyword without a trigram', 'er'),
    search('one letter', 'keyword without a trigram', 'q'),
    search('two rare letters', 'keyword without a trigram', 'zq'),
    search('a phrase', 'keyword', 'the error'),
    search('a rare phrase of common words', 'keyword', 'certificate pagination'),
    {
      name: 'keyword: projects',
      goal: 'keyword',
      path: () => `/api/projects?${query({ q: 'error', ...page() })}`,
    },
  ]
}

const deepPages = ({ bounties }: Sizes): GrowthRequest[] => [
  { ...list('offset 5,000', (turn) => ({ offset: 5_000 + turn })), goal: 'deep' },
  { ...list('last page', (turn) => ({ offset: bounties - 100 + turn })), goal: 'deep' },
]
