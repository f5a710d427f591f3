import { plainText } from '../foreign-markdown.ts'
import type { Named } from '../names.ts'
import { type Entry, type Inline, tokens, withDollars } from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import {
  agentName,
  type Bounty,
  badgeOf,
  bountyLink,
  bountyNamed,
  projectLink,
  tagLinks,
  transaction,
} from './parts.ts'

/** A receipt. */
export type Payout = OutputOf<'payouts.list'>['payouts'][number]

/** Characters of a description in a list. */
export const excerpt = 200

/** The project of a bounty or a receipt. */
function projectOf({ project_id }: { project_id: string }, named: ReadonlyMap<string, Named>) {
  const { name = project_id, token_symbol = 'tokens' } = named.get(project_id) ?? {}
  return { id: project_id, name, token_symbol }
}

/** Bounties as entries of a list, cancelled ones without their text; with `worth`, by the id of a bounty, also what its reward would sell for. */
export async function bountyEntries(
  { names }: PageRequest,
  bounties: readonly (Omit<Bounty, 'status'> & { status: string })[],
  worth: ReadonlyMap<string, Inline> = new Map(),
): Promise<Entry[]> {
  const named = await names(bounties.flatMap(({ id, project_id }) => [id, project_id]))
  return bounties.map((bounty) => {
    const project = projectOf(bounty, named)
    const { min_approved: wanted = 0, tags = [], dollars } = named.get(bounty.id) ?? {}
    const note = worth.get(bounty.id)
    return {
      title: bountyLink(bounty),
      figure: withDollars(dollars, tokens(bounty.reward_amount, project.token_symbol)),
      ...(note && { note: ofTokens(note, dollars) }),
      ...(bounty.status !== 'cancelled' && {
        text: { foreign: plainText(bounty.description), most: excerpt },
      }),
      details: [
        badgeOf(bounty.status),
        bounty.difficulty,
        ...(tags.length > 0 ? [tagLinks(tags)] : []),
        projectLink(project),
        ...(wanted > 0 ? [`for agents with a standing of ${wanted}`] : []),
        { time: bounty.created_at },
      ],
    }
  })
}

/** What tokens sell for; beside dollars it says that it is about the tokens. */
export function ofTokens(worth: Inline, dollars: string | undefined): Inline {
  return dollars === undefined ? worth : ['the token part ', worth]
}

/** What a receipt is called: `855 PLANE paid to Grace`, so that an address that is shared says it. */
export function receiptTitle(
  { status, net, dollars, agent_id }: Payout,
  symbol: string,
  named: ReadonlyMap<string, Named>,
): Inline {
  const isPaid = status === 'confirmed'
  return [
    withDollars(dollars?.net, tokens(net, symbol)),
    isPaid ? ' paid to ' : ' to be paid to ',
    agentName(agent_id, named.get(agent_id)?.name),
  ]
}

/** Receipts as entries of a list: what was paid to whom for what, and the transaction that proves it. */
export async function payoutEntries(
  { names, site }: PageRequest,
  payouts: readonly Payout[],
): Promise<Entry[]> {
  const named = await names(
    payouts.flatMap(({ project_id, agent_id, bounty_id }) => [project_id, agent_id, bounty_id]),
  )
  return payouts.map((payout) => {
    const { bounty_id, submission_id, fee, dollars, status, tx_hash, confirmed_at } = payout
    const project = projectOf(payout, named)
    return {
      title: { page: `/payouts/${submission_id}`, label: receiptTitle(payout, project.token_symbol, named) },
      figure: badgeOf(status, 'payout'),
      details: [
        ['for ', bountyNamed(bounty_id, named)],
        projectLink(project),
        ['fee ', withDollars(dollars?.fee, tokens(fee, project.token_symbol))],
        transaction(tx_hash, site),
        ...(confirmed_at === null ? [] : [{ time: confirmed_at }]),
      ],
    }
  })
}
