import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { refusalOf } from '../local-access.ts'
import { rememberedPort, retryTakenPort } from '../ports.ts'
import { EmbeddedError, type Log } from '../reporting.ts'
import { addAccountRoutes } from './accounts.ts'
import { type Api, addRepositoryRoutes } from './api.ts'
import { type Addresses, account, repositoryBody } from './bodies.ts'
import { addCommitRoutes } from './commits.ts'
import { ownerOf } from './entries.ts'
import { GitHubError, notFound } from './errors.ts'
import { addETags } from './etag.ts'
import { type GitCode, hasCode, openCode } from './git/code.ts'
import { TooManyWaiting } from './git/in-turn.ts'
import { defaultLimits, type PushLimits, writeHooks } from './git/push-rules.ts'
import { createGit, problemOfGit } from './git/run-git.ts'
import { addGitRoutes } from './git-routes.ts'
import { addCredentials } from './identity.ts'
import { addTokenRoute, createMarketplace, type Marketplace } from './marketplace.ts'
import { addOwnRepositories } from './own-repositories.ts'
import { addPages } from './pages.ts'
import { createPullRequests, type Deliver } from './pull-requests.ts'
import { addPullRoutes } from './pulls.ts'
import { limitReads } from './read-limit.ts'
import { addRepositorySettings } from './repository-settings.ts'
import { openStore, type Store } from './store.ts'
import { openTokens } from './tokens.ts'
import { withoutGit } from './without-git.ts'

/** A running stand-in for GitHub. */
export interface EmbeddedGitHub {
  /** `http://127.0.0.1:<port>/api/v3`, as GitHub Enterprise has it. */
  apiUrl: string
  /** `http://127.0.0.1:<port>` */
  webUrl: string
  /** Signs the deliveries of events. Never print it. */
  webhookSecret: string
  /** Why repositories have no code, such as that git is not installed; `undefined`: they have. */
  problemOfGit?: string | undefined
  /** From then on agents of that marketplace get tokens here, and it hears of events at `/github/webhook`. */
  connectTo(marketplaceUrl: string): void
  stop(): Promise<void>
}

const prefix = '/api/v3'

/** How to start the stand-in. */
export interface GitHubOptions {
  directory: string
  /** Preferred port; a port used before on this directory takes precedence, a taken one is replaced. */
  port: number
  /** The only account that owns repositories. */
  organization: string
  log: Log
  /** Whether the repositories have code; default: whether the machine has git. */
  git?: boolean | undefined
  /** Whether only pull requests exist that were created here; with code always, otherwise any number counts as open. */
  strict?: boolean
  /** The platform's token; by default every token is. */
  token?: string | undefined
  /** Signs the deliveries of events; by default a secret of this folder. */
  webhookSecret?: string | undefined
  /** Differences from what a push may bring; for tests. */
  limits?: Partial<PushLimits>
  /** Adds to the REST interface; for tests. */
  extend?: (rest: FastifyInstance) => void
}

/**
 * Starts a stand-in for GitHub on 127.0.0.1: the REST calls that the service and its agents make, git over HTTP where the
 * machine has git, and a plain page for each address in their responses. A confirmed change survives a kill.
 */
export async function startGitHub(options: GitHubOptions): Promise<EmbeddedGitHub> {
  const { directory, organization, log } = options
  const limits = { ...defaultLimits, ...options.limits }
  const store = await openStore(directory, limits.written)
  const tokens = await openTokens(directory)
  const { git, problem } =
    options.git === false ? {} : await openCodeIfPossible(directory, { store, limits, log })
  const code = git ?? withoutGit(store, options.strict ?? false)
  const webhookSecret = options.webhookSecret ?? tokens.derive('webhooks')
  const marketplace = createMarketplace(webhookSecret)
  const agentOf = async (token: string) => {
    const credential = tokens.open(token)
    if (credential === undefined) return undefined
    return marketplace.agentOf(credential).catch((error) => {
      if (error.status === 401) return undefined
      throw error
    })
  }
  return retryTakenPort(async () => {
    const port = await rememberedPort(directory, options.port, 'GitHub stand-in', log)
    const webUrl = `http://127.0.0.1:${port}`
    const addresses = { apiUrl: `${webUrl}${prefix}`, webUrl, organization }
    const deliver = createDeliver(addresses, marketplace)
    const api: Api = {
      store,
      addresses,
      token: options.token,
      tokens,
      agentOf,
      code,
      git,
      pullRequests: createPullRequests({ store, code, addresses, deliver }),
      deliver,
    }
    await api.pullRequests.recover((message) => log.warn(message))
    const app = createApp(api, { marketplace, limits, extend: options.extend })
    await app.listen({ port, host: '127.0.0.1' })
    return {
      apiUrl: addresses.apiUrl,
      webUrl,
      webhookSecret,
      problemOfGit: problem,
      connectTo: marketplace.connectTo,
      async stop() {
        await app.close()
        await marketplace.settled()
        await store.close()
      },
    }
  })
}

async function openCodeIfPossible(
  directory: string,
  { store, limits, log }: { store: Store; limits: PushLimits; log: Log },
): Promise<{ git?: GitCode; problem?: string }> {
  const home = join(directory, 'git')
  const program = createGit(home, limits.push)
  const problem = (await problemOfGit()) ?? (await writeHooks(program, home, limits))
  if (problem === undefined) return { git: await openCode(program, directory, { store, limits }) }
  if (await hasCode(directory))
    throw new EmbeddedError(`The repositories of the code host in ${directory} need git: ${problem}`)
  log.warn(`Repositories of the code host have no code: ${problem}`)
  return { problem }
}

function createDeliver(addresses: Addresses, marketplace: Marketplace): Deliver {
  return (repository, sender, event, payload) => {
    const about = {
      repository: repositoryBody(addresses, repository),
      ...(ownerOf(repository) === undefined && { organization: account(addresses, addresses.organization) }),
      sender: account(addresses, sender),
    }
    marketplace.deliver(
      event,
      Promise.resolve(payload).then((own) => ({ ...own, ...about })),
    )
  }
}

function createApp(
  api: Api,
  {
    marketplace,
    limits,
    extend,
  }: { marketplace: Marketplace; limits: PushLimits; extend: GitHubOptions['extend'] },
): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(async (error, _request, reply) => respondWithError(error, reply))
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = refusalOf(headers)
    if (refusal !== undefined) return respondWithError(new GitHubError(403, refusal), reply)
  })
  // GitHub reads JSON whatever type its sender names; curl names this one.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  )
  app.register(async (pages) => {
    limitReads(pages)
    addPages(pages, api)
  })
  if (api.git) addGitRoutes(app, api, api.git, limits)
  addTokenRoute(app, api, marketplace)
  app.register(
    async (rest) => {
      rest.setNotFoundHandler(async (_request, reply) => respondWithError(notFound(), reply))
      addETags(rest)
      addCredentials(rest, api)
      limitReads(rest)
      addRepositoryRoutes(rest, api)
      addOwnRepositories(rest, api, limits)
      addRepositorySettings(rest, api)
      addPullRoutes(rest, api)
      addCommitRoutes(rest, api)
      addAccountRoutes(rest, api)
      extend?.(rest)
    },
    { prefix },
  )
  return app
}

function respondWithError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof GitHubError ? error : translate(error)
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  return reply.code(known.status).send(known.body)
}

function translate(error: unknown): GitHubError {
  if (error instanceof TooManyWaiting) return new GitHubError(429, error.message, undefined, '1')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status < 500 ? new GitHubError(400, 'Problems parsing JSON') : new GitHubError(500, 'Server Error')
}
