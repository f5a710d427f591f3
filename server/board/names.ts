import { LRUCache } from 'lru-cache'
import { idPrefixes } from '../ids.ts'
import { limits } from '../operations/limits.ts'
import type { OutputOf, Read } from './reader.ts'

/** What an agent, a project or a bounty is called; projects with the symbol of their token. */
export type Named = OutputOf<'names.list'>['names'][number]

/** Names for the ids that pages show. */
export interface Names {
  /**
   * The agents, projects and bounties of `ids`, by id, in one reading for each 100 that are not known yet. Cancelled bounties
   * are left out.
   */
  of(read: Read, ids: Iterable<string>): Promise<Map<string, Named>>
}

/** Agents and projects that are remembered. */
const most = 10_000
const mostAtOnce = limits.page_size

/** Creates a memory of names, in which there is none yet. It keeps no bounties, because they can be cancelled. */
export function createNames(): Names {
  const known = new LRUCache<string, Named>({ max: most })
  return {
    async of(read, ids) {
      const found = new Map<string, Named>()
      const unknown: string[] = []
      for (const id of new Set(ids)) {
        const named = known.get(id)
        if (named) found.set(id, named)
        else unknown.push(id)
      }
      for (let from = 0; from < unknown.length; from += mostAtOnce) {
        const { names } = await read('names.list', { ids: unknown.slice(from, from + mostAtOnce).join() })
        for (const named of names) {
          found.set(named.id, named)
          if (!named.id.startsWith(idPrefixes.bounty)) known.set(named.id, named)
        }
      }
      return found
    },
  }
}
