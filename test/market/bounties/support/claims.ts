import { lapse } from '../../../support/deadlines.ts'
import type { TestMarket } from '../../../support/market.ts'
import type { ActiveProject, ClaimedBounty } from '../../../support/scenarios.ts'

/** What tests of claims do on a project of a market. */
export function claimsOn(market: TestMarket, project: ActiveProject) {
  const { act, db } = market
  const claim = (bounty: { id: string }, agent: { key: string }) => act(bounty, 'claim', agent)
  const submit = async (bounty: { id: string }, agent: { key: string }) =>
    act(bounty, 'submit', agent, { pr_url: await market.pullRequest(project) })

  async function lapsedBounty(): Promise<ClaimedBounty> {
    const bounty = await market.claimedBounty({ project })
    await lapse(db, bounty)
    return bounty
  }

  const endingsOf = ({ id }: { id: string }) =>
    db.selectFrom('ended_claims').where('bounty_id', '=', id).select(['agent_id', 'ending']).execute()
  const entriesOf = ({ id }: { id: string }) =>
    db
      .selectFrom('activity')
      .where('bounty_id', '=', id)
      .where('type', '!=', 'bounty.created')
      .orderBy('seq')
      .select(['type', 'agent_id'])
      .execute()
  const statusOf = ({ id }: { id: string }) =>
    db.selectFrom('bounties').where('id', '=', id).select(['status', 'claimed_by']).executeTakeFirst()
  return { act, claim, submit, lapsedBounty, endingsOf, entriesOf, statusOf }
}
