import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Api, findRepository, type RepositoryPath } from './api.ts'
import { authorOf } from './bodies.ts'
import { ownerOf, type StoredRepository } from './entries.ts'
import type { GitCode } from './git/code.ts'
import { type GitService, serveGit } from './git/http-backend.ts'
import { fairTurns, TooManyWaiting } from './git/in-turn.ts'
import type { PushLimits } from './git/push-rules.ts'
import { limitPushTime } from './git/push-time.ts'
import { BodyRefused, type ReceiveBody } from './git/receive-body.ts'
import { served } from './git/run-git.ts'

/** Fetches that are served at once, of each repository one; and pushes, of each account one. None takes a place before its body has come. */
const mostAtOnce = 8
/** As many of an account that pushes wait at most. Fetches wait however many there are: those before them may be anybody's. */
const mostWaiting = 32
/** The body of a push has refs too; that of a fetch names the commits that the client has. */
const roomForRefs = 1024 * 1024
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

/** What a client wants of a repository. */
interface Wanted {
  repository: StoredRepository
  service: GitService
  isAdvertisement: boolean
  /** The agent that pushes. */
  login: string | undefined
}

function createServer(api: Api, code: GitCode, limits: PushLimits) {
  const pushTime = limitPushTime(limits)
  const runInTurn = createRunner(api, code, { limits, pushTime })

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
    const pause = pushTime.pauseOf(login ?? '')
    if (pause > 0) return refusePaused(reply, pause)
    served.enterWith({ isPlatform: false, login: login ?? '' })
    await code.open(repository)
    return runInTurn(request, reply, { repository, service, isAdvertisement, login })
  }
}

function createRunner(
  api: Api,
  code: GitCode,
  { limits, pushTime }: { limits: PushLimits; pushTime: ReturnType<typeof limitPushTime> },
) {
  const turnsOf = {
    'git-upload-pack': fairTurns<string>(mostAtOnce),
    'git-receive-pack': fairTurns<string>(mostAtOnce),
  }
  const bodies: Record<GitService, ReceiveBody> = {
    'git-upload-pack': code.createReceiver(),
    'git-receive-pack': code.createReceiver(),
  }

  return async (request: FastifyRequest, reply: FastifyReply, wanted: Wanted) => {
    const { repository, service, isAdvertisement, login } = wanted
    const { raw } = request
    const pusher = isAdvertisement ? undefined : login
    const turns = turnsOf[service]
    const holder = login ?? String(repository.id)
    const command = {
      ...wanted,
      root: code.root,
      folder: `${repository.id}.git`,
      environment: { ...code.git.environment, ...aboutPush(api, repository, login) },
      isOver: (tookMs: number) =>
        pusher === undefined
          ? tookMs > limits.timeMs
          : pushTime.isOver(pusher, tookMs, () => turns.isAwaited() || code.isPushAwaited(repository)),
      mostBytes: (pusher === undefined ? 0 : limits.push) + roomForRefs,
      isAwaited: () => turns.isAwaited(holder),
    }
    const settle = async () => {
      if (pusher === undefined) return
      // A failure here is healed by the next push or start.
      await api.pullRequests.followBranches(repository, pusher).catch(() => undefined)
      api.deliver(repository, pusher, 'push', {})
    }
    const run = (input: Readable) =>
      turns(
        holder,
        () => {
          reply.hijack()
          return serveGit(command, { body: raw, input, reply: reply.raw, settle })
        },
        login === undefined ? Infinity : mostWaiting,
      )
    if (isAdvertisement) {
      await run(Readable.from([])).catch(refuseTooMany(reply))
      return reply
    }
    const { mostBytes } = command
    const received = await bodies[service](raw, { mostBytes, timeMs: limits.timeMs }).catch(
      refuseBody(request, reply),
    )
    if (received === undefined) return reply
    // Its reader hears of an error as well; a request that is refused before has none.
    const input = createReadStream(received.path).on('error', () => undefined)
    try {
      // One push at a time, so that nothing that a push has just brought is taken for garbage.
      const done =
        pusher === undefined ? run(input) : code.pushOneAtATime(repository, pusher, () => run(input))
      await done.catch(refuseTooMany(reply))
    } finally {
      input.destroy()
      await received.remove()
    }
  }
}

function askForToken(reply: FastifyReply, { addresses }: Api): FastifyReply {
  reply.header('www-authenticate', 'Basic realm="GitHub"')
  const howTo = `Get a token with your access token: POST ${addresses.webUrl}/token`
  return refuse(reply, 401, `Invalid username or token. Password authentication is not supported.\n${howTo}`)
}

/** For the hook of a push: the pull requests of the account that are not merged, and the agent that owns the repository. */
function aboutPush({ store, addresses }: Api, { name }: { name: string }, login: string | undefined) {
  const pulls = store.pulls(name).filter((pull) => pull.merge === null && authorOf(addresses, pull) === login)
  return { PULLS: pulls.map(({ number }) => number).join(' '), OWNED: ownerOf({ name }) ?? '' }
}

/** The agent whose token is the password; any user name fits, and GitHub takes the token as user name too. */
async function pusher({ headers }: FastifyRequest, { agentOf }: Api): Promise<string | undefined> {
  const encoded = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return (await agentOf(password.join(':'))) ?? agentOf(user)
}

const isService = (name: string | undefined): name is GitService =>
  name !== undefined && services.includes(name)

const refuseBody =
  ({ raw }: FastifyRequest, reply: FastifyReply) =>
  (error: unknown) => {
    if (!(error instanceof BodyRefused)) throw error
    reply.raw.once('finish', () => raw.socket.destroySoon())
    if (error.status === 503) reply.header('retry-after', '1')
    refuse(reply.header('connection', 'close'), error.status, error.message)
    return undefined
  }

const refuseTooMany = (reply: FastifyReply) => (error: unknown) => {
  if (!(error instanceof TooManyWaiting)) throw error
  refuse(reply.header('retry-after', '1'), 503, error.message)
}

function refusePaused(reply: FastifyReply, seconds: number): FastifyReply {
  const text = `Your last push took too long for others that waited. Push again in ${seconds} seconds, and less at once.`
  return refuse(reply.header('retry-after', seconds), 429, text)
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
}
