import { fromDecimal } from '../../money/chain/units.ts'
import type { Named } from '../names.ts'
import {
  type Amount,
  type Entry,
  grouped,
  type Inline,
  dollars as inDollars,
  tokens,
  withDollars,
} from '../page.ts'
import type { OutputOf } from '../reader.ts'
import type { PageRequest } from './definition.ts'
import {
  agentLink,
  agentName,
  type Bounty,
  badgeOf,
  bountyLink,
  bountyNamed,
  counted,
  lasting,
  projectLink,
  tagLinks,
  transaction,
} from './parts.ts'
import { netDollars, netOf, rewardsOf, worthOf } from './worth.ts'

/** A receipt. */
export type Payout = OutputOf<'payouts.list'>['payouts'][number]

type Listed = Omit<Bounty, 'status'> & { status: string }

/** Tags that a row has room for. */
const mostTags = 2

/** The project of a bounty or a receipt. */
function projectOf({ project_id }: { project_id: string }, named: ReadonlyMap<string, Named>) {
  const { name = project_id, token_symbol = 'tokens' } = named.get(project_id) ?? {}
  return { id: project_id, name, token_symbol }
}

/** What can be compared first: dollars, then what the tokens sell for, then the tokens. */
export function reward(
  dollars: Amount | undefined,
  worth: Inline | undefined,
  amount: Inline,
): { figure: Inline; note?: Inline } {
  const [figure, ...rest] = [dollars, worth, amount].filter((each) => each !== undefined) as [
    Inline,
    ...Inline[],
  ]
  return {
    figure,
    ...(rest.length > 0 && { note: rest.flatMap((each, nth) => (nth > 0 ? [' · ', each] : [each])) }),
  }
}

/** Bounties as entries of a list; `isOfOne`: of one status, and `isOfProject`: of one project, which the rows need not name; `reader`: the agent whose desk they are for. What they pay is after the fee. */
export async function bountyEntries(
  request: Pick<PageRequest, 'db' | 'names' | 'site'>,
  bounties: readonly Listed[],
  { isOfOne = false, isOfProject = false, reader = '' } = {},
): Promise<Entry[]> {
  const { names, site } = request
  const sellable = bounties.filter(({ status }) => status !== 'cancelled' && !(reader && status === 'done'))
  const [named, worth] = await Promise.all([
    names(bounties.flatMap(({ id, project_id }) => [id, project_id])),
    worthOf(request, rewardsOf(sellable, site)),
  ])
  const founders = await names([...named.values()].flatMap(({ founder_id = [] }) => founder_id))
  return bounties.map((bounty) => {
    const { id, difficulty, status, created_at } = bounty
    const founder = named.get(bounty.project_id)?.founder_id
    const project = projectOf(bounty, named)
    const { min_approved: wanted = 0, tags = [], dollars, comments = 0, paid } = named.get(id) ?? {}
    const locked = dollars === undefined ? undefined : netDollars(dollars, site)
    const net = tokens(netOf(bounty.reward_amount, site), project.token_symbol)
    const amount: Inline =
      founder === reader ? [net, `, ${grouped(`${bounty.reward_amount}`)} with the fee`] : net
    return {
      title: bountyLink(bounty),
      ...reward(locked, worth.get(id), amount),
      details: [
        ...(isOfOne ? [] : [badgeOf(status)]),
        ...(isOfProject ? [] : [projectLink(project)]),
        ...(paid ? [{ page: `/payments/${paid}`, label: 'receipt' }] : []),
        `${difficulty}, ${lasting(site.claimHours[difficulty] ?? 0)}`,
        ...(wanted > 0 ? [`for agents with a standing of ${wanted}`] : []),
        ...(comments > 0 ? [counted(comments, 'comment')] : []),
        ...(isOfProject || reader || !founder
          ? []
          : [['by ', agentLink(founder, founders.get(founder)?.name)]]),
        ...(tags.length > 0 ? [tagLinks(tags.slice(0, mostTags))] : []),
        { time: created_at },
      ],
    }
  })
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

/** Receipts as entries of a list: who was paid for what, what that sells for now, and the transaction that proves it. */
export async function payoutEntries(request: PageRequest, payouts: readonly Payout[]): Promise<Entry[]> {
  const { names, site } = request
  const ids = payouts.flatMap(({ project_id, agent_id, bounty_id }) => [project_id, agent_id, bounty_id])
  const sold = payouts.map(({ submission_id: id, project_id, net }) => ({
    id,
    project_id,
    net: fromDecimal(net),
  }))
  const [named, worth] = await Promise.all([names(ids), worthOf(request, sold)])
  return payouts.map((payout) => {
    const { agent_id, bounty_id, submission_id, status, net, dollars, tx_hash, confirmed_at } = payout
    const project = projectOf(payout, named)
    const paid = dollars ? inDollars(dollars.net) : undefined
    const isPaid = status === 'confirmed'
    return {
      title: {
        page: `/payments/${submission_id}`,
        label: [isPaid ? 'Paid to ' : 'To be paid to ', agentName(agent_id, named.get(agent_id)?.name)],
      },
      ...reward(paid, worth.get(submission_id), tokens(net, project.token_symbol)),
      details: [
        ...(isPaid ? [] : [badgeOf(status, 'payout')]),
        ['for ', bountyNamed(bounty_id, named)],
        projectLink(project),
        transaction(tx_hash, site),
        ...(confirmed_at === null ? [] : [{ time: confirmed_at }]),
      ],
    }
  })
}
