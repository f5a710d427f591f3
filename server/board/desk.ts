import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Diff } from '../code/host/diff.ts'
import { parsePullRequestUrl } from '../code/host/pull-request-url.ts'
import { ServiceError } from '../errors.ts'
import { jsonType, privateCache } from '../http/headers.ts'
import { admit } from '../http/limits/admission.ts'
import { onCodeHost, spendQuota } from '../market/on-code-host.ts'
import { requireSubmission, storedSubmission } from '../market/submissions/queries.ts'
import { payoutIdOf } from '../money/chain/on-chain-ids.ts'
import { dollarColumns, lockedDollars, presentDollars } from '../money/payouts/dollars.ts'
import type { Services } from '../services.ts'
import type { BulkheadName } from '../trpc.ts'
import type { LiveOptions } from './live.ts'
import type { Changes, Payee } from './page.ts'
import type { PageRequest } from './pages/definition.ts'
import { rowsOf } from './pages/desk-rows.ts'
import { visitOf } from './reader.ts'

const patienceMs = 10_000
/** A diff takes at most some 300 kB. */
const remembered = { max: 32, ttl: 60_000 }

/** How a request is admitted: as that of an operation for agents which reads. */
const reading = { method: 'GET', meta: { access: 'agent', keyOnly: false, returnsSecret: false } } as const

interface DeskQuery {
  id: string
  agentId: string
  /** The commit that the desk will name when it pays. */
  head?: string | undefined
}

/**
 * What `/desk` shows and no operation returns, as JSON for its script. All of it needs an API key or token: visitors never cause a
 * request to the code host.
 */
export function serveDesk(
  app: FastifyInstance,
  options: Omit<LiveOptions, 'limit'> & Pick<PageRequest, 'db'>,
): void {
  const { dependencies, readFor, namesFrom, db, site } = options
  const { services, limits, bulkheads, drain } = dependencies
  const limit = limits.of({ method: 'GET', access: 'agent' })
  const diffs = createDiffs(services)
  const read = (
    name: BulkheadName,
    path: string,
    make: (request: Asked, query: DeskQuery) => Promise<object>,
  ) => {
    const bulkhead = bulkheads.of({ id: 'board.desk', meta: { bulkhead: name } })
    app.get<AskedFor>(path, {
      config: { operation: 'board.desk' },
      onRequest: (request, reply) =>
        bulkhead.beforeBody(() => admit(reading, limit, dependencies, [request, reply])),
      handler: async (request, reply) => {
        const query = { id: request.params.id, agentId: request.agent?.id ?? '', head: request.query.head }
        const found = await bulkhead.serve(request, () => make(request, query))
        return reply
          .headers({ 'content-type': jsonType, 'cache-control': privateCache })
          .send(JSON.stringify(found))
      },
    })
  }
  read('external', '/submissions/:id/diff', (_, query) => diffs(query))
  read('external', '/submissions/:id/payee', (_, query) => readPayee(services, query))
  read('default', '/desk/rows', (request, { agentId }) => {
    const visit = visitOf(request, services, { signal: drain.closing })
    const own = { read: readFor(visit), names: namesFrom(services.reads), db, site }
    return rowsOf(own, idsIn(request.query), agentId)
  })
}

type AskedFor = { Params: { id: string }; Querystring: { head?: string; ids?: string } }
type Asked = FastifyRequest<AskedFor>

/** More are in no part of the desk. */
const mostRows = 200

const idsIn = ({ ids = '' }: { ids?: string }) =>
  ids
    .split(',')
    .filter((id) => /^[a-z]+_\w+$/.test(id))
    .slice(0, mostRows)

/** Reads what a submission changes, if the newest commit is the one that the desk means: it must not show others. */
function createDiffs(services: Services) {
  const diffs = new LRUCache<string, Diff>(remembered)
  return async (query: DeskQuery): Promise<Changes> => {
    const { pr_url } = await requireSubmission(services.db, query.id, query.agentId)
    const known = diffs.get(pr_url)
    if (known && known.headSha === query.head) return known
    const { repositories, reads } = services
    const [place] = await reads.run(storedSubmission(query))
    const address = parsePullRequestUrl(place?.repo_url ?? '', pr_url)
    if (!repositories || !address) throw new ServiceError('repositories_not_configured')
    spendQuota(repositories.quotaOf(place?.repo_url ?? null), query.agentId)
    const diff = await onCodeHost(() => repositories.readDiff(address, patienceMs))
    if (!diff) throw new ServiceError('pull_request_gone')
    if (diff.headSha !== query.head)
      throw new ServiceError('pull_request_changed', 'There is a newer commit. Read the submission again.')
    diffs.set(pr_url, diff)
    return diff
  }
}

/** The wallet to which an approval would pay now, and the dollars that it would pay, as the approval itself reads them. */
async function readPayee(
  { db, chain: connection, config }: Services,
  { id, agentId }: DeskQuery,
): Promise<Payee> {
  const { agent_id, bounty_id } = await requireSubmission(db, id, agentId)
  const chain = connection.require()
  const locked = await lockedDollars(chain, payoutIdOf(chain.id, bounty_id), config.PLATFORM_FEE_BPS)
  const { wallet_address } = await db
    .selectFrom('agents')
    .where('id', '=', agent_id)
    .select('wallet_address')
    .executeTakeFirstOrThrow()
  return { wallet_address, dollars: presentDollars(dollarColumns(locked)) }
}
