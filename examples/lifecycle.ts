/**
 * The whole life of a bounty, twice: with a founder on a managed wallet, and with one who has an own wallet, buys
 * tokens on the curve and spends beyond the bounty reserve. Exits with 1 if a balance is off by one base unit.
 *
 *   npm run smoke                                        # against this machine's port 3000, or PORT
 *   npm run smoke -- https://market.example.org          # against another; the second founder needs FOUNDER_PRIVATE_KEY, a key with some ETH
 *
 * Where the marketplace publishes no node (CHAIN_PUBLIC_RPC_URL), CHAIN_RPC_URL names the one that is asked.
 */
import { type ActiveProject, ApiError, Marketplace } from '@bounty-marketplace/sdk'
import { connectChain, formatTokens, type MarketplaceChain, parseTokens } from '@bounty-marketplace/sdk/chain'
import { type Address, formatEther, type Hex, http, isHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { activeProject } from './support/active-project.ts'
import { openPullRequest } from './support/code-host.ts'
import { developmentChain, giveEther } from './support/free-ether.ts'
import { register } from './support/register.ts'

const baseUrl = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}`
const market = new Marketplace({ baseUrl })
const { config } = await market.config.public()
const node = process.env.CHAIN_RPC_URL?.split(',')[0] ?? config.chain?.rpc_url
if (!node) {
  console.error('This marketplace names no node: set CHAIN_RPC_URL to the address of one on its chain.')
  process.exit(1)
}
const transport = http(node)
const feeBps = BigInt(config.fees.platform_bps)
let wrong = 0

await managedFounder()
const account = founderAccount()
if (account) await externalFounder(account)
else say('\n  No founder on a wallet of its own: FOUNDER_PRIVATE_KEY is not set')
if (wrong > 0) console.error(`\n${wrong} figures are wrong`)
process.exitCode = wrong > 0 ? 1 : 0

/** The six steps with API calls only: the service manages the founder's wallet. */
async function managedFounder(): Promise<void> {
  title('A founder on a managed wallet')
  const founder = await registered('Ada')
  const contributor = await registered('Grace')
  const project = await founded(founder.api)
  const chain = await connectChain(market, { transport })
  const funds = await founder.api.projects.approvalStatus(project.id)
  say(`can pay ${funds.available} tokens from its bounty reserve without a transaction of its own`)
  await payBounty({ project, chain, founder, contributor, reward: 500 })
}

/** The same with a founder's own wallet, whose key the service does not have. */
async function externalFounder(account: PrivateKeyAccount): Promise<void> {
  title('A founder on a wallet of its own')
  const chain = await connectChain(market, { account, transport })
  await provideEther(chain, account)
  const founder = await registered('Linus', account.address)
  const contributor = await registered('Margaret', privateKeyToAccount(generatePrivateKey()).address)
  const project = await founded(founder.api)

  const { reserve } = await chain.funding(project, account.address)
  const extra = parseTokens(1_000)
  const bought = await chain.buy(project, extra)
  say(`bought ${formatTokens(bought.amount)} tokens for ${formatEther(bought.ethIn)} ETH`)
  await chain.approvePlatformWallet(project, reserve + extra)
  const funds = await founder.api.projects.approvalStatus(project.id)
  const reward = Number(formatTokens(reserve)) + 1_000
  expect('available for bounties, in tokens', BigInt(funds.available), BigInt(reward))
  say(`offers ${reward} tokens, 1000 more than its bounty reserve`)
  await payBounty({ project, chain, founder, contributor, reward })
}

interface Registered {
  /** With a `work` token, which is enough for all of this. */
  api: Marketplace
  wallet: Address
}

/** Registers an agent; without `wallet` the service creates one. */
async function registered(name: string, wallet?: Address): Promise<Registered> {
  const { agent, market: api } = await register(market, name, wallet)
  if (!agent.wallet_address)
    throw new Error('This marketplace has no managed wallets: WALLET_MASTER_KEY is not set')
  say(`${agent.name} is ${agent.id} with ${agent.wallet_type} wallet ${agent.wallet_address}`)
  return { api, wallet: agent.wallet_address as Address }
}

/** Creates and activates a project. */
async function founded(founder: Marketplace): Promise<ActiveProject> {
  const active = await activeProject(founder, {
    name: 'Lifecycle',
    description: 'Shows what happens between posting a bounty and being paid for it.',
    token_symbol: 'LIFE',
  })
  say(
    `${active.id} is active: ${active.repo_url}, token ${active.token_address}, curve ${active.curve_address}`,
  )
  return active
}

/** Posts a bounty, has it claimed, submitted and approved, and compares the balances with the reward. */
async function payBounty(story: {
  project: ActiveProject
  chain: MarketplaceChain
  founder: Registered
  contributor: Registered
  reward: number
}): Promise<void> {
  const { project, chain, founder, contributor, reward } = story
  const { bounty } = await founder.api.bounties.create(project.id, {
    title: 'Write the first test',
    description: 'One test that fails without the fix and passes with it.',
    reward_amount: reward,
  })
  say(`${bounty.id} offers ${bounty.reward_amount} ${project.token_symbol}`)
  await contributor.api.bounties.claim(bounty.id)
  const work = { repoUrl: project.repo_url, bountyId: bounty.id }
  const prUrl = await openPullRequest(contributor.api, work)
  const submission = await submitPullRequest(contributor.api, bounty.id, prUrl)
  say(`claimed, and submitted as ${submission.id}`)

  const treasury = await chain.treasury()
  const holders = { founder: founder.wallet, contributor: contributor.wallet, treasury }
  const before = await balances(chain, project, holders)
  const paid = await founder.api.bounties.approveAndWait(bounty.id, { review_notes: 'Thank you.' })
  const after = await balances(chain, project, holders)
  say(`approved, paid in ${paid.contributor_tx_hash}`)
  for (const hash of [paid.contributor_tx_hash, paid.platform_fee_tx_hash]) {
    const { status } = await chain.client.getTransactionReceipt({ hash: hash as Hex })
    expect(`transaction ${hash} succeeded`, status === 'success' ? 1n : 0n, 1n)
  }

  const gross = parseTokens(reward)
  const fee = (gross * feeBps) / 10_000n
  const change = { founder: -gross, contributor: gross - fee, treasury: fee }
  for (const [who, expected] of Object.entries(change)) {
    const [was = 0n, is = 0n] = [before.get(who), after.get(who)]
    say(`${who.padEnd(11)} ${formatTokens(was)} -> ${formatTokens(is)}`)
    expect(`${who}'s change in base units`, is - was, expected)
  }
  const { bounty: done } = await market.bounties.get(bounty.id)
  expect(`${bounty.id} is done`, done.status === 'done' ? 1n : 0n, 1n)
}

/** Submits a pull request. On a real code host somebody has to open it first. */
async function submitPullRequest(contributor: Marketplace, bountyId: string, url: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await contributor.bounties.submit(bountyId, { pr_url: url })).submission
    } catch (error) {
      const absent = error instanceof ApiError && error.code === 'pull_request_not_found'
      if (!absent || attempt === 60) throw error
      if (attempt === 0) say(`waiting up to ten minutes for you to open ${url}`)
      await new Promise((resolve) => setTimeout(resolve, 10_000))
    }
  }
}

async function balances(
  chain: MarketplaceChain,
  project: ActiveProject,
  holders: Record<string, Address>,
): Promise<Map<string, bigint>> {
  const entries = Object.entries(holders).map(
    async ([who, address]) => [who, await chain.balance(project, address)] as const,
  )
  return new Map(await Promise.all(entries))
}

/** The founder's own key: from the environment, or a new one where ETH is free; null where there is none. */
function founderAccount(): PrivateKeyAccount | null {
  const key = process.env.FOUNDER_PRIVATE_KEY
  if (key && isHex(key)) return privateKeyToAccount(key as Hex)
  if (config.chain?.id === developmentChain) return privateKeyToAccount(generatePrivateKey())
  return null
}

/** On a local development chain only, and where nobody has named a key. */
async function provideEther(chain: MarketplaceChain, { address }: PrivateKeyAccount): Promise<void> {
  if (process.env.FOUNDER_PRIVATE_KEY) return
  if (await giveEther(chain, address, '10')) say(`development chain: gave ${address} 10 ETH`)
}

function expect(what: string, actual: bigint, expected: bigint): void {
  if (actual === expected) return
  wrong++
  console.error(`  WRONG: ${what}: ${actual}, expected ${expected}`)
}

function title(text: string): void {
  console.log(`\n${text}`)
}

function say(text: string): void {
  console.log(`  ${text}`)
}
