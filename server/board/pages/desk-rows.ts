import { sql } from 'kysely'
import { idPrefixes } from '../../ids.ts'
import { bountiesOf } from '../../market/bounties/queries.ts'
import type { Row } from '../page.ts'
import { workFacts } from './bounty-facts.ts'
import type { PageRequest } from './definition.ts'
import { bountyEntries } from './entries.ts'
import { agentLink, badgeOf, projectLink } from './parts.ts'

/** The bounties, also cancelled ones, agents and projects of `ids` as rows of the desk of an agent, by id. */
export async function rowsOf(
  request: Pick<PageRequest, 'read' | 'names' | 'db' | 'site'>,
  ids: readonly string[],
  agentId: string,
): Promise<Record<string, Row>> {
  const found = await bountiesOf(request.db, sql<string>`(select unnest(${ids}::text[]))`).execute()
  const bounties = found.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
  const [entries, named, due] = await Promise.all([
    bountyEntries(request, bounties, { reader: agentId }),
    request.names([...ids, ...bounties.map(({ project_id }) => project_id)]),
    Promise.all(bounties.map((bounty) => workFacts(request, bounty))),
  ])
  const rows = new Map<string, Row>()
  for (const [id, { name }] of named)
    rows.set(id, { title: id.startsWith(idPrefixes.agent) ? agentLink(id, name) : projectLink({ id, name }) })
  for (const [nth, { id, status, project_id }] of bounties.entries()) {
    const { title = id, figure = '', note = '' } = entries[nth] ?? {}
    const facts = due[nth] ?? []
    const project = rows.get(project_id)?.title ?? project_id
    const receipt = named.get(id)?.paid
    const details = [
      badgeOf(status),
      project,
      ...(receipt ? [{ page: `/payments/${receipt}`, label: 'receipt' }] : []),
    ]
    rows.set(id, { title, figure, note, details, due: facts.map(([label, value]) => [`${label} `, value]) })
  }
  return Object.fromEntries(rows)
}
