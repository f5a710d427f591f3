import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Budget, type Client, createClient, type RepositoryAuth } from './client.ts'
import { isLogin, parseBody, toRepositoryError, undefinedIfMissing } from './failures.ts'
import type { PullRequestAddress } from './host.ts'
import type { Quota } from './quota.ts'

/** Where a repository is. */
export type Place = Pick<PullRequestAddress, 'owner' | 'repository'>

/** Credentials that read the repositories of founders: a GitHub App that anybody may install, or at the embedded host its token. */
export type ReaderAuth = { appId: number | string; privateKey: string } | { token: string }

/** What the owner of a repository has granted to the reader. */
const Installation = z.object({
  id: z.int(),
  permissions: z.record(z.string(), z.string()),
  suspended_at: z.string().nullish(),
})
const App = z.object({ html_url: z.url() })

/** Most installations with a client of their own, and how long it is believed that one is still that of a repository. */
const mostClients = 100
const mostPlaces = 1000
const placeMs = 300_000
/** The id of no installation. */
const none = 0

function undefinedIfRefused(error: unknown): undefined {
  if (toRepositoryError(error)?.kind !== 'unauthorized') throw error
}

/** The clients of one host: one of the organization, which writes there, and one of each installation, which only reads. */
export type Clients = ReturnType<typeof createClients>

/** @param reader absent where founders cannot bring repositories of their own */
export function createClients({
  apiUrl,
  organization,
  auth,
  reader,
}: {
  apiUrl: string
  organization: string
  auth: RepositoryAuth
  reader?: ReaderAuth | undefined
}) {
  const ours = createClient(apiUrl, auth)
  const appAuth = reader && 'appId' in reader ? reader : undefined
  // Finds installations. It signs with the App's own key, for an installation it is not made.
  const app = appAuth && createClient(apiUrl, appAuth)
  const clients = new LRUCache<number, Client>({ max: mostClients })
  const places = new LRUCache<string, number>({ max: mostPlaces, ttl: placeMs })

  let installUrl: string | undefined

  const keyOf = ({ owner, repository }: Place) => `${owner}/${repository}`.toLowerCase()
  const isOurs = ({ owner }: Pick<Place, 'owner'>) => owner.toLowerCase() === organization.toLowerCase()

  function clientOf(installationId: number | undefined): Client {
    if (!appAuth || !installationId) return ours
    const known = clients.get(installationId) ?? createClient(apiUrl, { ...appAuth, installationId })
    clients.set(installationId, known)
    return known
  }

  /** The installation of the reader in a repository, as the host shows it now; undefined if there is none that works. */
  async function findInstallation(place: Place, request: Budget) {
    const { owner, repository: repo } = place
    const found = await (app ?? ours).rest.apps
      .getRepoInstallation({ owner, repo, request: { ...request } })
      .catch(undefinedIfMissing)
    const shown = found && parseBody(Installation, found.data)
    const installation = shown?.suspended_at ? undefined : shown
    places.set(keyOf(place), installation?.id ?? none)
    return installation
  }

  return {
    ours,
    isOurs,
    hasReader: reader !== undefined,
    clientOf,
    findInstallation,
    /**
     * The client that reads a repository. Where the reader is not installed, or the host refuses the App itself, it is that of the organization,
     * which sees what is public, and so most merges: who may write there, which a merge commit of another account's needs, it does not see.
     */
    async of(place: Place, request: Budget): Promise<Client> {
      if (!app || isOurs(place)) return ours
      const known = places.get(keyOf(place))
      return clientOf(known ?? (await findInstallation(place, request).catch(undefinedIfRefused))?.id)
    },
    /**
     * Forgets the installation of a repository for which the host gives no token: it was deleted or suspended since it was found.
     * @returns whether there was one, so that a reading can be repeated with what is there now
     */
    forgets: (place: Place, error: unknown): boolean =>
      isLogin(error) && !!places.get(keyOf(place)) && places.delete(keyOf(place)),
    /** The quota from which readings of a repository are taken. */
    quotaOf: (place: Place | null): Quota =>
      clientOf(place && !isOurs(place) ? places.get(keyOf(place)) : none).quota,
    /** Where the owner of a repository lets the reader in: a page at GitHub, at the embedded host an address that takes `PUT`. */
    async installUrl({ repository }: Place, request: Budget): Promise<string> {
      if (!app) return `${apiUrl}/user/installation/repositories/${repository}`
      if (installUrl !== undefined) return installUrl
      const { data } = await app.rest.apps.getAuthenticated({ request: { ...request } })
      installUrl = `${parseBody(App, data).html_url}/installations/new`
      return installUrl
    },
  }
}
