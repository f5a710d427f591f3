import { createRandom } from '../../support/random.ts'
import { ids, type Sizes } from '../seeding/rows.ts'
import { markers } from '../seeding/text.ts'
import { zipf } from '../seeding/zipf.ts'

/** What the cost of an operation is held to. */
export type Goal = 'flat' | 'selective keyword' | 'keyword' | 'keyword without a trigram' | 'deep'

/** An operation whose cost is measured at several sizes. */
export interface GrowthRequest {
  name: string
  goal: Goal
  /** The address of a turn; different ones, so that no response is asked for twice. */
  path(turn: number): string
  /** Whether the founder of the biggest project asks, whose key is sent. */
  isSigned: boolean
}

type Values = Record<string, string | number>
type Paths = Record<string, (turn: number) => string>

function address(path: string, values: Values): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) parameters.set(name, String(value))
  return `${path}?${parameters}`
}
const bounties = (values: Values) => address('/api/bounties', values)

/** Every read of the API, lists with each filter, keywords of every kind, and deep pages. */
export function growthRequests(sizes: Sizes, activityIds: string[]): GrowthRequest[] {
  const random = createRandom(99)
  const popular = zipf(sizes.projects, 0.9)
  const limit = () => 16 + random.below(9)
  // Some twenty rows, different ones each time: what is asked for again is answered from memory.
  const page = () => ({ limit: limit(), offset: random.below(12) })
  const rank = () => ids.project(popular(random))
  const all = (goal: Goal, paths: Paths, isSigned = false): GrowthRequest[] =>
    Object.entries(paths).map(([name, path]) => ({ name, goal, path, isSigned }))
  const deepPages: Paths = {
    'offset 5,000': (turn) => bounties({ offset: 5_000 + turn }),
    'last page': (turn) => bounties({ offset: sizes.bounties - 100 + turn }),
  }
  return [
    ...all('flat', publicReads({ sizes, random, activityIds, limit, page, rank })),
    ...all('flat', founderReads({ sizes, random, limit }), true),
    ...all('selective keyword', keywords(page, selective)),
    ...all('keyword', keywords(page, common)),
    ...all('keyword', {
      'keyword: projects': () => address('/api/projects', { q: 'error', ...page() }),
    }),
    ...all('keyword without a trigram', keywords(page, short)),
    ...all('deep', deepPages),
  ]
}

type Draws = { sizes: Sizes; random: ReturnType<typeof createRandom> }

function publicReads({
  sizes,
  random,
  activityIds,
  limit,
  page,
  rank,
}: Draws & { activityIds: string[]; limit(): number; page(): Values; rank(): string }): Paths {
  return {
    bounties: (offset) => bounties({ offset }),
    'bounties, status': (offset) => bounties({ status: offset % 2 ? 'open' : 'done', offset }),
    'bounties, rare status': (offset) => bounties({ status: offset % 2 ? 'claimed' : 'in_review', offset }),
    'bounties, difficulty': (offset) => bounties({ difficulty: 'hard', offset }),
    'bounties, status and difficulty': (offset) => bounties({ status: 'open', difficulty: 'easy', offset }),
    'bounties, biggest project': (offset) => bounties({ project_id: ids.project(0), offset }),
    'bounties, some project': () => bounties({ project_id: rank(), ...page() }),
    'bounties, project and status': () => bounties({ project_id: rank(), status: 'claimed', ...page() }),
    'bounties, project and difficulty': () =>
      bounties({ project_id: rank(), difficulty: 'extreme', ...page() }),
    '100 bounties': (offset) => bounties({ limit: 100, offset }),
    'bounty by id': () => `/api/bounties/${ids.bounty(random.below(sizes.bounties))}`,
    projects: () => address('/api/projects', page()),
    'projects, status': () => address('/api/projects', { status: 'active', ...page() }),
    'project by id': () => `/api/projects/${ids.project(random.below(sizes.projects))}`,
    activity: (turn) => address('/api/activity', { limit: 10 + (turn % 80) }),
    'activity, an old page': () => address('/api/activity', { after: random.pick(activityIds) }),
    'activity, a project': () => address('/api/activity', { project_id: rank(), limit: limit() }),
    statistics: () => '/api/dashboard/stats',
  }
}

/** What a founder reads with its key: records of others, and lists of what is its own. */
function founderReads({ sizes, random, limit }: Draws & { limit(): number }): Paths {
  const mine = '/api/agents/me'
  const project = `/api/projects/${ids.project(0)}`
  const own = (path: string, values: Values = {}) => address(path, { ...values, limit: limit() })
  return {
    'record of a founder': () => `/api/agents/${ids.agent(random.below(sizes.projects) % sizes.agents)}`,
    'record of an agent': () => `/api/agents/${ids.agent(random.below(sizes.agents))}`,
    'own profile': () => mine,
    'own projects': () => own(`${mine}/projects`),
    'own bounties': () => own(`${mine}/bounties`),
    'own bounties, status': () => own(`${mine}/bounties`, { status: 'done' }),
    'own submissions': () => own(`${mine}/submissions`),
    'review queue': () => own(`${project}/submissions`, { status: 'pending' }),
    'review queue, every status': () => own(`${project}/submissions`),
    'funding status': () => `${project}/approval-status`,
  }
}

const [rare, scarce] = markers
const selective: Record<string, Values> = {
  selective: { q: rare.word },
  'one of a thousand': { q: scarce.word },
  'nothing found': { q: 'xylophonist' },
}
const common: Record<string, Values> = {
  'one of a hundred': { q: 'election' },
  'common word': { q: 'cursor' },
  'most common word': { q: 'the' },
  'trigrams of common words': { q: 'database' },
  'common, with a status': { q: 'error', status: 'in_review' },
  'one of a thousand, with a status': { q: scarce.word, status: 'in_review' },
  'a phrase': { q: 'the error' },
  'a rare phrase of common words': { q: 'certificate pagination' },
}
const short: Record<string, Values> = {
  'two letters': { q: 'er' },
  'one letter': { q: 'q' },
  'two rare letters': { q: 'zq' },
}

const keywords = (page: () => Values, searches: Record<string, Values>): Paths =>
  Object.fromEntries(
    Object.entries(searches).map(([name, values]) => [
      `keyword: ${name}`,
      () => bounties({ ...values, ...page() }),
    ]),
  )
