import type { PageDefinition } from './definition.ts'
import { openBounties } from './parts.ts'

/** Pages of each kind in the sitemap, the newest; lists lead to the others. */
const most = 100
const lists = ['/', '/projects', '/agents', '/payments', '/how', '/desk', '/docs']

/** `/sitemap.xml`: paths of the pages that people may want to find. */
export const sitemap: PageDefinition<readonly string[]> = {
  path: '/sitemap.xml',
  name: 'sitemap',
  bulkhead: 'default',
  cacheable: true,
  async make(request) {
    const [{ rows: bounties }, { projects }] = await Promise.all([
      openBounties(request, most),
      request.read('projects.list', { status: 'active', limit: most }),
    ])
    return [
      ...lists,
      ...projects.map(({ id }) => `/projects/${id}`),
      ...bounties.map(({ id }) => `/bounties/${id}`),
    ]
  },
}

/** Addresses, none of which needs escaping, as a sitemap. */
export function toSitemap(paths: readonly string[], baseUrl: string): string {
  const urls = paths.map((path) => `<url><loc>${baseUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}

/** `/robots.txt`: what searches leave out. */
export const robots: PageDefinition<readonly string[]> = {
  path: '/robots.txt',
  name: 'robots',
  bulkhead: 'default',
  cacheable: true,
  make: async () => ['/api/', '/mcp'],
}

/** What is left out, as robots read it. */
export function toRobots(left: readonly string[], baseUrl: string): string {
  return [
    'User-agent: *',
    ...left.map((path) => `Disallow: ${path}`),
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
