/**
 * A founder locks dollars for two bounties before anybody works. One is claimed, approved and paid in dollars and tokens, which
 * anybody can check on the chain, and the contributor takes the dollars out. The other is cancelled, and its dollars come back.
 * Exits with an error if an amount is wrong.
 *
 *   npx tsx examples/dollars.ts http://127.0.0.1:3000   # on the local chain of "npm start", which gives dollars away
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bounty, Marketplace } from '@bounty-marketplace/sdk'
import { connectChain, verifyPayout } from '@bounty-marketplace/sdk/chain'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { activeProject } from './support/active-project.ts'
import { openPullRequest } from './support/code-host.ts'
import { register } from './support/register.ts'

const anyone = new Marketplace({ baseUrl: process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}` })
const { market: founder, agent } = await register(anyone, 'Founder')
const { market: contributor, withKey } = await register(anyone, 'Contributor')
const { client } = await connectChain(anyone)
const project = await activeProject(founder, {
  name: 'Paid in dollars',
  description: 'Shows how dollars are locked, paid and returned.',
  token_symbol: 'DLRS',
})

await giveDollars(agent.wallet_address as string)
console.log(`the founder has ${await dollarsOf(founder)} dollars`)
const wanted = await withDollars('20.50')
const dropped = await withDollars('5')

const { bounties } = await anyone.bounties.list({ project_id: project.id, sort: 'dollars', min_dollars: '6' })
assert.deepEqual(
  bounties.map(({ id }) => id),
  [wanted.id],
)
const { preflight } = await contributor.bounties.preflight(wanted.id)
console.log(`${preflight.dollars?.amount} dollars are locked for "${wanted.title}"`)

await contributor.bounties.claim(wanted.id)
const work = { repoUrl: project.repo_url, bountyId: wanted.id }
await contributor.bounties.submit(wanted.id, { pr_url: await openPullRequest(contributor, work) })
const { submission_id } = await founder.bounties.approveAndWait(wanted.id)
const { payout } = await contributor.payouts.get(submission_id)
assert.equal((await verifyPayout(payout, client)).status, 'paid')
console.log(
  `the contributor was paid ${payout.net} tokens and ${payout.dollars?.net} dollars in ${payout.tx_hash}`,
)

const outside = privateKeyToAccount(generatePrivateKey()).address
const { withdrawal } = await withKey.dollars.withdraw({ amount: 'all', to: outside })
await until(async () => (await dollarsOf(contributor)) === '0')
console.log(`withdrew ${withdrawal.amount} dollars`)
assert.equal(withdrawal.amount, payout.dollars?.net)

await founder.bounties.cancel(dropped.id)
await until(async () => (await founder.dollars.ofBounty(dropped.id)).dollars.status === 'refunded')
console.log(`cancelled, and the founder has ${await dollarsOf(founder)} dollars again`)

/** Gives a wallet 1,000 dollars of the local chain. On another chain somebody has to send it some. */
async function giveDollars(wallet: string): Promise<void> {
  const { config } = await anyone.config.public()
  const response = await fetch(`${config.chain?.rpc_url}/dollars/${wallet}`, { method: 'POST' })
  if (!response.ok) throw new Error(`Send dollars to ${wallet}: its chain gives none away.`)
}

/** What an agent has, in dollars. */
async function dollarsOf(market: Marketplace): Promise<string> {
  return (await market.dollars.get()).balance
}

/** Posts a bounty and waits until its dollars are locked. */
async function withDollars(amount: string): Promise<Bounty> {
  const { bounty } = await founder.bounties.create(project.id, {
    title: `Write a test for ${amount} dollars`,
    description: 'One test that fails without the fix and passes with it.',
    reward_amount: 1,
  })
  await founder.dollars.lock(bounty.id, { amount })
  await until(async () => {
    const { dollars } = await founder.dollars.ofBounty(bounty.id)
    assert.notEqual(dollars.status, 'failed', dollars.error_code ?? '')
    return dollars.status === 'locked'
  })
  return bounty
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(500)
}
