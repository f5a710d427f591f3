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
  const { bounties, projects } = sizes
  const random = createRandom(99)
  const popular = zipf(projects, 0.9)
  const list = (name: string, values: (turn: number) => Record<string, string | number>): GrowthRequest => ({
    name,
    goal: 'flat',
    path: (turn) => `/api/bounties?${query(values(turn))}`,
  })
  const search = (
    name: string,
    goal: GrowthRequest['goal'],
    q: string,
    more: Record<string, string> = {},
  ): GrowthRequest => ({
    name: `keyword: ${name}`,
    goal,
    // Another offset each time: pages of one search.
    path: (turn) => `/api/bounties?${query({ q, ...more, offset: turn % 5 })}`,
  })
  return [
    {
      name: 'bounty by id',
      goal: 'flat',
      path: () => `/api/bounties/${ids.bounty(random.below(bounties))}`,
    },
    list('bounties', (turn) => ({ offset: turn })),
    list('bounties, status', (turn) => ({ status: turn % 2 ? 'open' : 'done', offset: turn })),
    list('bounties, rare status', (turn) => ({ status: turn % 2 ? 'claimed' : 'in_review', offset: turn })),
    list('bounties, difficulty', (turn) => ({ difficulty: 'hard', offset: turn })),
    list('bounties, status and difficulty', (turn) => ({ status: 'open', difficulty: 'easy', offset: turn })),
    list('bounties, biggest project', (turn) => ({ project_id: ids.project(0), offset: turn })),
    list('bounties, some project', () => ({ project_id: ids.project(popular(random)) })),
    list('bounties, project and status', () => ({
      project_id: ids.project(popular(random)),
      status: 'claimed',
    })),
    list('bounties, project and difficulty', () => ({
      project_id: ids.project(popular(random)),
      difficulty: 'extreme',
    })),
    list('100 bounties', (turn) => ({ limit: 100, offset: turn })),
    { name: 'projects', goal: 'flat', path: (turn) => `/api/projects?${query({ offset: turn % 30 })}` },
    {
      name: 'projects, status',
      goal: 'flat',
      path: (turn) => `/api/projects?${query({ status: 'active', offset: turn % 30 })}`,
    },
    {
      name: 'project by id',
      goal: 'flat',
      path: () => `/api/projects/${ids.project(random.below(projects))}`,
    },
    { name: 'activity', goal: 'flat', path: (turn) => `/api/activity?${query({ limit: 20 + (turn % 20) })}` },
    {
      name: 'activity, an old page',
      goal: 'flat',
      path: () =>
        `/api/activity?${query({ before: activityIds[random.below(activityIds.length)] as string })}`,
    },
    {
      name: 'activity, a project',
      goal: 'flat',
      path: () => `/api/activity?${query({ project_id: ids.project(popular(random)) })}`,
    },
    { name: 'statistics', goal: 'flat', path: () => '/api/dashboard/stats' },
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
    { ...list('offset 5,000', (turn) => ({ offset: 5_000 + turn })), goal: 'deep' },
    { ...list('last page', (turn) => ({ offset: bounties - 100 + turn })), goal: 'deep' },
  ]
}
