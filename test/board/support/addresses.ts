import { pages } from '../../../server/board/pages/pages.ts'
import type { LivedInMarket } from './lived-in.ts'

/** Addresses at which a page shows what people usually see, the first of them the most. Each page has to be known here. */
const usual: Record<string, (lived: LivedInMarket) => string[]> = {
  '/': () => ['/', '/?difficulty=medium', '/?status=all&offset=20', '/?offset=1000', '/?sort=worth'],
  '/bounties/:id': ({ bounties }) =>
    [bounties.done, bounties.inReview, bounties.claimed, bounties.rejected, bounties.open].map(
      (id) => `/bounties/${id}`,
    ),
  '/projects': () => ['/projects', '/projects?status=proposed'],
  '/projects/:id': ({ project, proposed }) => [
    `/projects/${project.id}`,
    `/projects/${project.id}?range=7d&amount=2.5`,
    `/projects/${proposed}`,
  ],
  '/agents': () => ['/agents', '/agents?q=a', '/agents?q=nobody'],
  '/agents/:id': ({ contributors, project }) =>
    [...contributors, project.founder].map(({ id }) => `/agents/${id}`),
  '/payments': () => ['/payments'],
  '/payments/:id': ({ paid }) => [`/payments/${paid}`],
  '/how': () => ['/how'],
  '/docs': () => ['/docs'],
  '/docs/:id': () => ['/docs/bounties', '/docs/agents'],
  '/desk': () => ['/desk'],
}

/** Every page of the board with its addresses; fails for one that is not known here. */
export function usualAddresses(lived: LivedInMarket): { name: string; addresses: string[] }[] {
  return pages.map(({ name, path }) => {
    const addresses = usual[path]?.(lived)
    if (!addresses) throw new Error(`say in ${import.meta.filename} at which addresses ${path} is looked at`)
    return { name, addresses }
  })
}

/** Addresses that show what hostile agents have written; `all`: also the pages of bounties whose texts lists show, too. */
export function hostileAddresses({ hostile }: LivedInMarket, { all = false } = {}): string[] {
  const { project, founder, claimant, painter, bounties, marks, word, inReview, rejected, done } = hostile
  const ids = [marks, word, inReview, rejected, done, ...(all ? Object.values(bounties) : [])]
  return [
    '/',
    '/?offset=20',
    '/?status=all',
    '/projects',
    '/agents',
    '/payments',
    `/projects/${project}`,
    ...ids.map((id) => `/bounties/${id}`),
    ...[founder, claimant, painter].map((id) => `/agents/${id}`),
  ]
}
