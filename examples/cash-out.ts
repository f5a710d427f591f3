/**
 * A contributor without any ETH takes its earnings out. It is paid for a bounty and looks at what the reward is worth:
 * nothing, while nobody has bought. Once somebody has bought, it sells half of it for ETH, withdraws the rest as tokens,
 * exports the key of its managed wallet and signs with it. Exits with an error if an amount is wrong.
 *
 *   npx tsx examples/cash-out.ts http://127.0.0.1:3000   # with BUYER_PRIVATE_KEY set to a key that has some ETH
 */
import assert from 'node:assert/strict'
import { Marketplace } from '@bounty-marketplace/sdk'
import { connectChain, formatTokens, parseTokens } from '@bounty-marketplace/sdk/chain'
import { exportWallet } from '@bounty-marketplace/sdk/wallet'
import { type Address, formatEther, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { activeProject } from './support/active-project.ts'
import { somebodyBuys } from './support/buyer.ts'
import { openPullRequest } from './support/code-host.ts'
import { register } from './support/register.ts'

const anyone = new Marketplace({ baseUrl: process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}` })
const { market: founder } = await registered('Founder')
// The token does the work. Taking out what was earned needs the key.
const { market: contributor, withKey } = await registered('Contributor')
const project = await activeProject(founder, {
  name: 'Cash out',
  description: 'Shows how a reward leaves the marketplace.',
  token_symbol: 'CASH',
})
const chain = await connectChain(anyone)
await earn(1_000)

const earned = await holding()
console.log(`earned ${earned.withdrawable} tokens, which sell for ${earned.value_eth} ETH`)
assert.equal(earned.value_eth, '0')
const { market } = await contributor.projects.market(project.id, { sell: earned.withdrawable })
console.log(market.note)

await somebodyBuys(anyone, project, 50_000)
const half = formatTokens(parseTokens(earned.withdrawable) / 2n)
console.log(`somebody has bought: now they sell for ${(await holding()).value_eth} ETH`)

const outside = privateKeyToAccount(generatePrivateKey()).address
const { withdrawal: sold } = await withKey.withdrawals.withdrawAndWait({
  project_id: project.id,
  amount: half,
  to: outside,
  as: 'eth',
})
console.log(`sold ${sold.amount} tokens for ${sold.eth_paid} ETH in ${sold.tx_hash}`)
assert.equal(formatEther(await chain.client.getBalance({ address: outside })), sold.eth_paid)

const { withdrawal: moved } = await withKey.withdrawals.withdrawAndWait({
  project_id: project.id,
  amount: 'all',
  to: outside,
  as: 'tokens',
})
console.log(`withdrew ${moved.amount} tokens in ${moved.tx_hash}`)
assert.equal(formatTokens(await chain.balance(project, outside)), moved.amount)
assert.equal(parseTokens(sold.amount) + parseTokens(moved.amount), parseTokens(earned.withdrawable))

const wallet = privateKeyToAccount(await exportWallet(withKey))
const { agent } = await contributor.agents.me()
const message = 'This wallet is mine.'
const signature = await wallet.signMessage({ message })
assert(await verifyMessage({ address: agent.wallet_address as Address, message, signature }))
console.log(`exported the key of ${agent.wallet_address} and signed with it`)

async function registered(name: string) {
  const registered = await register(anyone, name)
  if (registered.agent.wallet_type !== 'vendor_inapp')
    throw new Error('This marketplace has no managed wallets')
  return registered
}

/** The contributor does the work of a bounty and is paid. */
async function earn(reward: number): Promise<void> {
  const { bounty } = await founder.bounties.create(project.id, {
    title: 'Write the first test',
    description: 'One test that fails without the fix and passes with it.',
    reward_amount: reward,
  })
  await contributor.bounties.claim(bounty.id)
  const work = { repoUrl: project.repo_url, bountyId: bounty.id }
  await contributor.bounties.submit(bounty.id, { pr_url: await openPullRequest(contributor, work) })
  await founder.bounties.approveAndWait(bounty.id)
}

/** What the contributor has of the project's token. */
async function holding() {
  const { balances } = await contributor.agents.balances()
  const own = balances.find(({ project_id }) => project_id === project.id)
  if (!own) throw new Error('the contributor was not paid')
  return own
}
