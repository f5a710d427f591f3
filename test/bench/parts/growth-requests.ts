import { createRandom, zipf } from '../seeding/random.ts'
import { ids, type Sizes } from '../seeding/rows.ts'
import { markers } from '../seeding/text.ts'

/** An operation whose cost is measured at several sizes. */
export interface GrowthRequest {
  name: string
  /** What its cost is held to. */
  goal: 'flat' | 'selective keyword' | 'keyword' | 'deep'
  /** The address of a turn; different ones, so that no answer is asked for twice. */
  path(turn: number): string
}

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
  }
  return [...lists(draws), ...others(draws), ...searches(), ...deepPages(sizes)]
}

/** Ids, different ones each time. */
type Draws = Record<'bounty' | 'project' | 'popularProject' | 'activity', () => string>

const list = (name: string, values: (turn: number) => Record<string, string | number>): GrowthRequest => ({
  name,
  goal: 'flat',
  path: (turn) => `/api/bounties?${query(values(turn))}`,
})

const lists = ({ popularProject }: Draws): GrowthRequest[] => [
  list('bounties', (turn) => ({ offset: turn })),
  list('bounties, status', (turn) => ({ status: turn % 2 ? 'open' : 'done', offset: turn })),
  list('bounties, rare status', (turn) => ({ status: turn % 2 ? 'claimed' : 'in_review', offset: turn })),
  list('bounties, difficulty', (turn) => ({ difficulty: 'hard', offset: turn })),
  list('bounties, status and difficulty', (turn) => ({ status: 'open', difficulty: 'easy', offset: turn })),
  list('bounties, biggest project', (turn) => ({ project_id: ids.project(0), offset: turn })),
  list('bounties, some project', () => ({ project_id: popularProject() })),
  list('bounties, project and status', () => ({ project_id: popularProject(), status: 'claimed' })),
  list('bounties, project and difficulty', () => ({ project_id: popularProject(), difficulty: 'extreme' })),
  list('100 bounties', (turn) => ({ limit: 100, offset: turn })),
]

function others({ bounty, project, popularProject, activity }: Draws): GrowthRequest[] {
  const read = (name: string, path: (turn: number) => string): GrowthRequest => ({ name, goal: 'flat', path })
  return [
    read('bounty by id', () => `/api/bounties/${bounty()}`),
    read('projects', (turn) => `/api/projects?${query({ offset: turn % 30 })}`),
    read('projects, status', (turn) => `/api/projects?${query({ status: 'active', offset: turn % 30 })}`),
    read('project by id', () => `/api/projects/${project()}`),
    read('activity', (turn) => `/api/activity?${query({ limit: 20 + (turn % 20) })}`),
    read('activity, an old page', () => `/api/activity?${query({ before: activity() })}`),
    read('activity, a project', () => `/api/activity?${query({ project_id: popularProject() })}`),
    read('statistics', () => '/api/dashboard/stats'),
  ]
}

function searches(): GrowthRequest[] {
  // Another offset each time: pages of one search.
  const search = (
    name: string,
    goal: GrowthRequest['goal'],
    q: string,
    more: Record<string, string> = {},
  ): GrowthRequest => ({
    ...list(`keyword: ${name}`, (turn) => ({ q, ...more, offset: turn % 5 })),
    goal,
  })
  return [
    search('selective', 'selective keyword', markers[0].word),
    search('one of a thousand', 'selective keyword', markers[1].word),
    search('nothing found', 'selective keyword', 'xylophonist'),
    search('common word', 'keyword', 'database'),
    search('most common word', 'keyword', 'the'),
    search('common, with a status', 'keyword', 'error', { status: 'in_review' }),
    search('two letters', 'keyword', 'er'),
    search('one letter', 'keyword', 'q'),
    search('two rare letters', 'keyword', 'zq'),
    search('a phrase', 'keyword', 'the error'),
    {
      name: 'keyword: projects',
      goal: 'keyword',
      path: (turn) => `/api/projects?${query({ q: 'error', offset: turn % 5 })}`,
    },
  ]
}

const deepPages = ({ bounties }: Sizes): GrowthRequest[] => [
  { ...list('offset 5,000', (turn) => ({ offset: 5_000 + turn })), goal: 'deep' },
  { ...list('last page', (turn) => ({ offset: bounties - 100 + turn })), goal: 'deep' },
]
