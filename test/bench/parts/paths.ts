import { createRandom } from '../../support/random.ts'
import { ids, type Sizes } from '../seeding/rows.ts'
import { zipf } from '../seeding/zipf.ts'

const statuses = ['open', 'open', 'open', 'claimed', 'in_review', 'done']
const difficulties = ['easy', 'medium', 'hard', 'extreme']

/** Single bounties, each as likely as the other. Different in each round. */
export function bountyPaths({ bounties }: Sizes, count: number, round: number): string[] {
  const random = createRandom(1000 + round)
  return Array.from({ length: count }, () => `/api/bounties/${ids.bounty(random.below(bounties))}`)
}

/**
 * Lists of 20 by status, half of them narrowed to a difficulty or a project (popular ones more often), at offsets
 * up to a thousand. Different in each round.
 */
export function listPaths({ bounties, projects }: Sizes, count: number, round: number): string[] {
  const random = createRandom(2000 + round)
  const project = zipf(projects, 0.9)
  const deepest = Math.min(1000, Math.floor(bounties / 100))
  return Array.from({ length: count }, () => {
    const query = new URLSearchParams({ status: random.pick(statuses) })
    const narrowed = random.next()
    if (narrowed < 0.25) query.set('difficulty', random.pick(difficulties))
    else if (narrowed < 0.5) query.set('project_id', ids.project(project(random)))
    if (random.next() < 0.7) query.set('offset', String(random.below(deepest)))
    return `/api/bounties?${query}`
  })
}

/** What agents poll: the first pages that everybody looks at. */
export function hotLists({ projects }: Sizes): string[] {
  const pages = ['', '?status=open', ...difficulties.map((name) => `?status=open&difficulty=${name}`)]
  const popular = Array.from({ length: Math.min(projects, 10) }, (_, rank) => ids.project(rank))
  return [...pages, ...popular.map((id) => `?project_id=${id}`)].map((query) => `/api/bounties${query}`)
}
