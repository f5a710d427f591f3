import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Api, findPull, findRepository, type PullPath, type RepositoryPath, sameName } from './api.ts'
import { readmeOf, readmePath } from './contents.ts'

/** Plain pages at the addresses in API responses, so that a printed link opens. */
export function addPages(app: FastifyInstance, api: Api): void {
  const { store, addresses } = api
  const { organization } = addresses

  const overview = (reply: FastifyReply) => {
    const items = store.repositories().map(({ name }) => `<li>${link(`/${organization}/${name}`, name)}</li>`)
    return send(
      reply,
      organization,
      items.length ? `<ul>${items.join('')}</ul>` : '<p>No repository yet.</p>',
    )
  }
  app.get('/', async (_request, reply) => overview(reply))
  app.get<{ Params: { owner: string } }>('/:owner', async ({ params }, reply) =>
    sameName(params.owner, organization) ? overview(reply) : notFound(reply),
  )

  app.get<RepositoryPath>('/:owner/:repo', async ({ params }, reply) => {
    const repository = findRepository(api, params)
    if (!repository) return notFound(reply)
    const path = `/${organization}/${repository.name}`
    const pulls = store
      .pulls(repository.name)
      .map(({ number, title }) => `<li>${link(`${path}/pull/${number}`, `#${number} ${title}`)}</li>`)
    const list = pulls.length ? `<ul>${pulls.join('')}</ul>` : '<p>None yet.</p>'
    const about = `<p>${escapeHtml(repository.description ?? '')}</p>`
    const topics = repository.topics.length ? `<p>${escapeHtml(repository.topics.join(', '))}</p>` : ''
    const text = readmeOf(repository)
    const readme = text === null ? '' : `<h2>${readmePath}</h2><pre>${escapeHtml(text)}</pre>`
    const content = `${about}${topics}<h2>Pull requests</h2>${list}${readme}`
    return send(reply, `${organization}/${repository.name}`, content)
  })

  const pullPage = async ({ params }: { params: PullPath['Params'] }, reply: FastifyReply) => {
    const repository = findRepository(api, params)
    const pull = repository && findPull(api, repository, params.number)
    if (!repository || !pull) return notFound(reply)
    const home = link(`/${organization}/${repository.name}`, `${organization}/${repository.name}`)
    const branches = `<p>${home}: ${escapeHtml(pull.head)} into ${escapeHtml(pull.base)}, open</p>`
    return send(reply, `${pull.title} #${pull.number}`, `${branches}<p>${escapeHtml(pull.body ?? '')}</p>`)
  }
  app.get<PullPath>('/:owner/:repo/pull/:number', pullPage)
  app.get<PullPath>('/:owner/:repo/pull/:number/*', pullPage)
  app.setNotFoundHandler(async (_request, reply) => notFound(reply))
}

function notFound(reply: FastifyReply): FastifyReply {
  return send(reply.code(404), 'Not found', '<p>There is no such page.</p>')
}

function send(reply: FastifyReply, title: string, content: string): FastifyReply {
  const note =
    '<hr><p>This is the embedded stand-in for GitHub: addresses, a README and pull requests, no code.</p>'
  return reply
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
        `<h1>${escapeHtml(title)}</h1>${content}${note}</html>\n`,
    )
}

function link(path: string, text: string): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
