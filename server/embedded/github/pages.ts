import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Api, findPull, findRepository, type PullPath, type RepositoryPath, sameName } from './api.ts'
import { authorOf, fullNameOf } from './bodies.ts'
import { readmePath, type StoredPull, type StoredRepository } from './entries.ts'

/** Plain pages at the addresses in API responses, so that a printed link opens. */
export function addPages(app: FastifyInstance, api: Api): void {
  const { store, addresses } = api
  const { organization } = addresses

  const overview = (reply: FastifyReply) => {
    const items = store
      .repositories()
      .map((one) => `<li>${link(`/${fullNameOf(addresses, one)}`, one.name)}</li>`)
    return send(
      api,
      reply,
      organization,
      items.length ? `<ul>${items.join('')}</ul>` : '<p>No repository yet.</p>',
    )
  }
  app.get('/', async (_request, reply) => overview(reply))
  app.get<{ Params: { owner: string } }>('/:owner', async ({ params }, reply) =>
    sameName(params.owner, organization) ? overview(reply) : notFound(api, reply),
  )

  app.get<RepositoryPath>('/:owner/:repo', async ({ params }, reply) => {
    const repository = findRepository(api, params)
    if (!repository) return notFound(api, reply)
    const name = fullNameOf(addresses, repository)
    const path = `/${name}`
    const pulls = store
      .pulls(repository.name)
      .map(({ number, title }) => `<li>${link(`${path}/pull/${number}`, `#${number} ${title}`)}</li>`)
    const list = pulls.length ? `<ul>${pulls.join('')}</ul>` : '<p>None yet.</p>'
    const about = `<p>${escapeHtml(repository.description ?? '')}</p>`
    const file = await api.code.readFile(repository, readmePath)
    const readme = file ? `<h2>${readmePath}</h2><pre>${escapeHtml(file.toString())}</pre>` : ''
    const clone = api.git ? `<pre>git clone ${escapeHtml(`${addresses.webUrl}${path}`)}.git</pre>` : ''
    const content = `${about}${clone}<h2>Pull requests</h2>${list}${readme}`
    return send(api, reply, name, content)
  })

  const pullPage = async (
    { params }: { params: PullPath['Params'] & { '*'?: string } },
    reply: FastifyReply,
  ) => {
    const repository = findRepository(api, params)
    const isDiff = params.number.endsWith('.diff')
    const pull = repository && findPull(api, repository, params.number.replace(/\.diff$/, ''))
    if (!repository || !pull) return notFound(api, reply)
    const [, from, to] = /^files\/([0-9a-f]{40})\.\.([0-9a-f]{40})$/.exec(params['*'] ?? '') ?? []
    if (from && to) {
      const between = await api.code.diff(repository, { baseSha: from, headSha: to })
      return between === undefined ? notFound(api, reply) : sendDiff(reply, between)
    }
    const ends = await api.code.ends(repository, pull)
    if (isDiff) return sendDiff(reply, await api.code.diff(repository, ends))
    const content = pullContent(api, repository, pull, ends.headSha)
    return send(api, reply, `${pull.title} #${pull.number}`, content)
  }
  app.get<PullPath>('/:owner/:repo/pull/:number', pullPage)
  app.get<PullPath>('/:owner/:repo/pull/:number/*', pullPage)
  app.setNotFoundHandler(async (_request, reply) => notFound(api, reply))
}

function pullContent(api: Api, repository: StoredRepository, pull: StoredPull, headSha: string): string {
  const name = fullNameOf(api.addresses, repository)
  const home = link(`/${name}`, name)
  const state = pull.mergedAt === null ? pull.state : 'merged'
  const by = escapeHtml(authorOf(api.addresses, pull))
  const branches = `<p>${home}: ${escapeHtml(pull.head)} into ${escapeHtml(pull.base)} by ${by}, ${state}</p>`
  const results = [
    ...api.store
      .checks(repository.id, headSha)
      .map(({ name, conclusion, status }) => `${name}: ${conclusion ?? status}`),
    ...api.store.statuses(repository.id, headSha).map(({ context, state }) => `${context}: ${state}`),
  ]
  const checks = results.map((result) => `<li>${escapeHtml(result)}</li>`).join('')
  const changes = link(`/${name}/pull/${pull.number}.diff`, 'The changes')
  return `${branches}<p>${escapeHtml(pull.body ?? '')}</p><ul>${checks}</ul>${api.git ? changes : ''}`
}

function sendDiff(reply: FastifyReply, diff: string | undefined): FastifyReply {
  reply.header('x-content-type-options', 'nosniff').type('text/plain; charset=utf-8')
  return diff === undefined ? reply.code(406).send('The changes are too large.\n') : reply.send(diff)
}

function notFound(api: Api, reply: FastifyReply): FastifyReply {
  return send(api, reply.code(404), 'Not found', '<p>There is no such page.</p>')
}

function send({ git }: Api, reply: FastifyReply, title: string, content: string): FastifyReply {
  const about = git ? 'repositories and pull requests' : 'addresses, files and pull requests, no code'
  const note = `<hr><p>This is the embedded stand-in for GitHub: ${about}.</p>`
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
