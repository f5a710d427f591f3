import type { StoredPull, StoredRepository } from '../entries.ts'
import { type Ends, orIfFailed } from '../git/code.ts'
import { fullPull, madeUpFacts } from './bodies.ts'
import type { Host } from './host.ts'

/** Reads of pull requests. */
export type Reads = ReturnType<typeof createReads>

/** Reads pull requests with what git says about them. Those without code are made up. */
export function createReads({ code, addresses }: Host) {
  const endsInGit = async (repository: StoredRepository, pulls: StoredPull[]) =>
    code ? code.ends(repository, pulls) : []

  async function ends(repository: StoredRepository, pull: StoredPull): Promise<Ends> {
    const [known] = await endsInGit(repository, [pull])
    return known ?? madeUpFacts(repository, pull)
  }

  return {
    ends,

    /** Pull requests with their heads and bases. */
    async withEnds(repository: StoredRepository, pulls: StoredPull[]) {
      const known = await endsInGit(repository, pulls)
      return pulls.map((pull, index) => ({ pull, ends: known[index] ?? madeUpFacts(repository, pull) }))
    },

    async body(repository: StoredRepository, pull: StoredPull) {
      const [known] = await endsInGit(repository, [pull])
      const counts = code && known && (await code.counts(repository, pull, known))
      return fullPull(addresses, repository, pull, counts ?? madeUpFacts(repository, pull))
    },

    /** The files that a pull request changes. */
    async files(repository: StoredRepository, pull: StoredPull) {
      const between = await ends(repository, pull)
      const files = await code?.changedFiles(repository, between).catch(orIfFailed([]))
      return { files: files ?? [], headSha: between.headSha }
    },

    commits: async (repository: StoredRepository, pull: StoredPull) =>
      (await code?.commits(repository, await ends(repository, pull)).catch(orIfFailed([]))) ?? [],

    /** The changes of a pull request as text; `undefined` if they are too long for that. */
    async diff(repository: StoredRepository, pull: StoredPull): Promise<string | undefined> {
      return code ? code.diff(repository, await ends(repository, pull)).catch(orIfFailed(undefined)) : ''
    },
  }
}
