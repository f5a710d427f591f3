import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { type Api, findRepository, type RepositoryPath } from './api.ts'
import { type GitCode, sizeOf } from './git/code.ts'
import { type GitService, readWhole, serveGit } from './git/http-backend.ts'
import type { PushLimits } from './git/push-rules.ts'

/** Clients that fetch, or push, at once; others wait, and beyond `mostWaiting` are sent away. */
const mostAtOnce = 4
const mostWaiting = 32
/**
 * The share of one agent that pushes, running or waiting. A client that fetches needs no token and gets a place when its body is
 * there. There is no limit for an address: this host listens on loopback, where all agents have the same one.
 */
const mostOfOne = 3
/** The body of a push has refs too. */
const roomForRefs = 4 * 1024 * 1024
/** The body of a fetch names the commits that the client has. It is held in memory before the client has a place. */
const roomForHaves = 1024 * 1024
const services: readonly string[] = ['git-upload-pack', 'git-receive-pack']

type ServicePath = { Params: RepositoryPath['Params'] & { service: string } }

/**
 * Git over HTTP, at a repository's web address with or without `.git`. Everybody can fetch; an agent pushes with its token
 * as the password. Nothing from the request reaches git except its body and the version of the protocol.
 */
export function addGitRoutes(app: FastifyInstance, api: Api, code: GitCode, limits: PushLimits): void {
  const serve = createServer(api, code, limits)

  app.register(async (git) => {
    git.removeAllContentTypeParsers()
    // Git reads the body itself.
    git.addContentTypeParser('*', (_request, _payload, done) => done(null))

    git.get<RepositoryPath & { Querystring: { service?: string } }>(
      '/:owner/:repo/info/refs',
      async (request, reply) => {
        const { service } = request.query
        if (!isService(service)) return refuse(reply, 403, 'Please upgrade your git client.')
        return serve(request, reply, service, true)
      },
    )
    git.post<ServicePath>('/:owner/:repo/:service', async (request, reply) => {
      const { service } = request.params
      if (!isService(service)) return refuse(reply, 404, 'Not Found')
      if (request.headers['content-type'] !== `application/x-${service}-request`)
        return refuse(reply, 415, 'Unsupported Media Type')
      return serve(request, reply, service, false)
    })
  })
}

function createServer(api: Api, code: GitCode, limits: PushLimits) {
  const takePlace = createPlaces()

  return async (
    request: FastifyRequest<RepositoryPath>,
    reply: FastifyReply,
    service: GitService,
    isAdvertisement: boolean,
  ) => {
    const { owner, repo } = request.params
    const repository = findRepository(api, { owner, repo: repo.replace(/\.git$/i, '') })
    if (!repository) return refuse(reply, 404, 'Repository not found.')
    const isPush = service === 'git-receive-pack'
    const login = isPush ? await pusher(request, api) : undefined
    if (isPush && login === undefined) return askForToken(reply, api)
    const bare = await code.open(repository)
    if (isPush && (await sizeOf(bare, code.git)) > limits.repository) {
      const message = `the repository is full: it has more than ${limits.repository >> 20} MB`
      if (isAdvertisement) return refuseInProtocol(reply, service, message)
      return refuse(reply, 403, message)
    }
    const content =
      isPush || isAdvertisement ? undefined : await readWhole(request.raw, roomForHaves, limits.bodyMs)
    const inPlace = takePlace(login)
    if (!inPlace) return refuse(reply.header('retry-after', '10'), 503, 'Too many git clients.')
    reply.hijack()
    const command = {
      root: code.root,
      folder: `${repository.id}.git`,
      service,
      isAdvertisement,
      login,
      environment: code.git.environment,
      timeMs: limits.timeMs,
      idleMs: limits.idleMs,
      mostBytes: (isPush ? limits.push : 0) + roomForRefs,
      content,
    }
    const settle = async () => {
      if (!isPush || isAdvertisement) return
      // A failure here is healed by the next push or start.
      await api.pullRequests.followBranches(repository).catch(() => undefined)
      api.deliver(repository, login ?? '', 'push', {})
    }
    await inPlace(() => serveGit(command, { body: request.raw, reply: reply.raw, settle }))
  }
}

/** Counts clients. Returns a function that takes a place for one: for a push by `login`, or else for a fetch. */
function createPlaces() {
  const [fetches, pushes] = [pLimit(mostAtOnce), pLimit(mostAtOnce)]
  const pushing = new Map<string, number>()
  const add = (login: string, change: 1 | -1) => {
    const left = (pushing.get(login) ?? 0) + change
    if (left > 0) pushing.set(login, left)
    else pushing.delete(login)
  }

  /** Returns a function that runs work when it is its turn; `undefined` if too many wait. */
  return (login: string | undefined) => {
    const limit = login === undefined ? fetches : pushes
    if (limit.pendingCount >= mostWaiting) return undefined
    if (login === undefined) return fetches
    if ((pushing.get(login) ?? 0) >= mostOfOne) return undefined
    add(login, 1)
    return (work: () => Promise<void>) => pushes(work).finally(() => add(login, -1))
  }
}

function askForToken(reply: FastifyReply, { addresses }: Api): FastifyReply {
  reply.header('www-authenticate', 'Basic realm="GitHub"')
  const howTo = `Get a token with your access token: POST ${addresses.webUrl}/token`
  return refuse(reply, 401, `Invalid username or token. Password authentication is not supported.\n${howTo}`)
}

/** The agent whose token is the password; any user name fits, and GitHub takes the token as user name too. */
async function pusher({ headers }: FastifyRequest, { agentOf }: Api): Promise<string | undefined> {
  const encoded = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return (await agentOf(password.join(':'))) ?? agentOf(user)
}

const isService = (name: string | undefined): name is GitService =>
  name !== undefined && services.includes(name)

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
}

/** Git shows this message as "remote error". */
function refuseInProtocol(reply: FastifyReply, service: string, message: string): FastifyReply {
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  return reply
    .type(`application/x-${service}-advertisement`)
    .header('cache-control', 'no-cache')
    .send(`${line(`# service=${service}\n`)}0000${line(`ERR ${message}\n`)}`)
}
