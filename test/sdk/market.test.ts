import { randomUUID } from 'node:crypto'
import { http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { ContractError, connectChain, formatTokens, parseTokens } from '../../sdk/src/chain/index.ts'
import { Marketplace } from '../../sdk/src/index.ts'
import { createExportKeys, openExport } from '../../sdk/src/wallet/index.ts'
import { createTestMarket } from '../support/market.ts'
import { startReceiver } from '../support/webhooks.ts'
import { collector } from './support/collector.ts'

const service = await createTestMarket()
const market = new Marketplace({ baseUrl: service.baseUrl })

async function agent(name: string, wallet_address?: string): Promise<Marketplace> {
  const { agent } = await market.agents.register({ name, ...(wallet_address && { wallet_address }) })
  return market.withApiKey(agent.api_key)
}

async function activeProject(founder: Marketplace, token_supply = 1000) {
  const { project } = await founder.projects.create({
    name: 'SDK',
    description: 'Made by a test.',
    token_symbol: 'SDK',
    token_supply,
  })
  return (await founder.projects.activateAndWait(project.id)).project
}

test('polling returns the earlier response until something changes', async () => {
  const { id } = await service.openBounty()
  const earlier = await market.bounties.get(id)
  expect(await market.bounties.get(id, { previous: earlier })).toBe(earlier)
  await (await agent('Claimant')).bounties.claim(id)
  const later = await market.bounties.get(id, { previous: earlier })
  expect(later.bounty.status).toBe('claimed')
})

test('every open bounty is seen once while others are claimed and new ones are posted', async () => {
  const project = await service.activeProject({ token_supply: 1000 })
  const founder = market.withApiKey(project.founder.key)
  const post = async () =>
    (await founder.bounties.create(project.id, { title: 'A', description: 'B', reward_amount: 1 })).bounty.id
  const open = [await post(), await post(), await post(), await post(), await post()].reverse()
  const seen = []
  for await (const { id } of market.bounties.iterate({
    project_id: project.id,
    status: 'open',
    limit: 2,
  })) {
    seen.push(id)
    await (await agent('Claimant')).bounties.claim(id)
    if (seen.length % 2 === 1) await post()
  }
  expect(seen).toEqual(open)
})

test('no secret of a whole lifecycle is logged at any level', async () => {
  const receiver = await startReceiver()
  const { lines, logger } = collector()
  const secrets = new Map<string, string>()
  const keep = (what: string, secret: string) => {
    secrets.set(what, secret)
    // A part of it is a secret, too; the public part in the middle of an API key is not.
    secrets.set(`last part of ${what}`, secret.split('_').at(-1) ?? '')
    return secret
  }
  const anyone = new Marketplace({ baseUrl: service.baseUrl, logLevel: 'debug', logger })
  const register = async (name: string) => {
    const idempotencyKey = keep(`Idempotency-Key of ${name}`, randomUUID())
    const { agent } = await anyone.agents.register({ name }, { idempotencyKey })
    const market = anyone.with({ apiKey: keep(`API key of ${name}`, agent.api_key) })
    const rotated = await market.agents.rotateKey({ overlap_seconds: 3600 })
    return market.withApiKey(keep(`second API key of ${name}`, rotated.agent.api_key))
  }
  const founder = await register('founder')
  const contributor = await register('contributor')

  const fields = { name: 'P', description: 'D', token_symbol: 'SYM', token_supply: 1_000_000 }
  const { project } = await founder.projects.create(fields)
  const { project: active } = await founder.projects.activateAndWait(project.id)
  const offer = { title: 'T', description: 'D', reward_amount: 10 }
  const { bounty } = await founder.bounties.create(project.id, offer)
  await contributor.bounties.claim(bounty.id)
  await contributor.bounties.submit(bounty.id, { pr_url: await service.pullRequest(active) })
  await founder.bounties.approveAndWait(bounty.id)

  const { webhook, secret } = await founder.webhooks.create({
    url: `${receiver.url}?own=${keep('address', randomUUID())}`,
  })
  keep('webhook secret', secret)
  keep('second webhook secret', (await founder.webhooks.rotateSecret(webhook.id)).secret)
  const keys = await createExportKeys()
  const exported = await contributor.agents.exportWallet({
    recipient_public_key: keep('recipient', keys.recipientPublicKey),
  })
  keep('ciphertext', exported.ciphertext)
  keep('encapsulated key', exported.encapsulated_key)
  keep('private key', (await openExport(exported, keys)).slice(2))

  await anyone.agents.me({ apiKey: keep('some other key', randomUUID()) }).catch(() => undefined)
  await receiver.close()

  const logged = lines.join('\n')
  for (const operation of ['agents.register', 'bounties.approve', 'webhooks.create', 'agents.exportWallet'])
    expect(logged).toMatch(new RegExp(`${operation.replace('.', '\\.')} responded {`))
  const found = [...secrets].filter(([, value]) => logged.includes(value)).map(([what]) => what)
  expect(secrets.size).toBeGreaterThan(20)
  expect(found).toEqual([])
  expect(logged).not.toMatch(/bearer/i)
})

describe('chain', () => {
  const local = () => ({ transport: http(service.chain.rpcUrl) })

  async function founded() {
    const account = await service.chain.fundedAccount()
    const founder = await agent('Own wallet', account.address)
    const project = await activeProject(founder, 10_000)
    const chain = await connectChain(market, { account: privateKeyToAccount(account.privateKey), ...local() })
    return { account, founder, project, chain }
  }

  test('a RangeError for more digits than a token has: nothing is rounded up', () => {
    expect(parseTokens('0.000000000000000001')).toBe(1n)
    expect(() => parseTokens('0.9999999999999999999')).toThrow(RangeError)
  })

  test('buys what it quoted, sells it back, and shows both in the balance', async () => {
    const { account, project, chain } = await founded()
    const amount = parseTokens('12.5')
    const quote = await chain.quoteBuy(project, amount)
    const bought = await chain.buy(project, amount, { slippageBps: 0 })
    expect(bought).toMatchObject({ amount, ethIn: quote.eth, fee: quote.fee })
    expect(await chain.maxSell(project, account.address)).toBe(amount)
    const sale = await chain.quoteSell(project, amount)
    expect(await chain.sell(project, amount, { slippageBps: 0 })).toMatchObject({ ethOut: sale.eth })
    expect(sale.eth).toBeLessThan(quote.eth)
    expect(formatTokens(await chain.balance(project, account.address))).toBe('1000')
  })

  test('trades for a recipient: the tokens of a purchase, the ETH of a sale', async () => {
    const { account, project, chain } = await founded()
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    await chain.buy(project, parseTokens(5), { recipient })
    expect(formatTokens(await chain.balance(project, recipient))).toBe('5')
    await chain.buy(project, parseTokens(7))
    const { ethOut } = await chain.sell(project, parseTokens(7), { recipient })
    expect(await chain.client.getBalance({ address: recipient })).toBe(ethOut)
    expect(formatTokens(await chain.balance(project, account.address))).toBe('1000')
  })

  test('an approval beyond the bounty reserve is what the service counts', async () => {
    const { account, founder, project, chain } = await founded()
    const before = await chain.funding(project, account.address)
    expect(before.reserve).toBe(parseTokens(1000))
    await chain.buy(project, parseTokens(50))
    await chain.approvePlatformWallet(project, before.reserve + parseTokens(50))
    expect(await founder.projects.approvalStatus(project.id)).toEqual({
      balance: '1050',
      allowance: '1050',
      committed: '0',
      available: '1050',
    })
  })

  test.each([
    ['ExceedsSupply', 'buy', '9001'],
    ['ZeroAmount', 'buy', '0'],
    ['ExceedsSold', 'sell', '1'],
    ['ApprovalBelowReserve', 'approvePlatformWallet', '999'],
  ] as const)('ContractError %s from %s', async (reason, method, amount) => {
    const { project, chain } = await founded()
    const error = await chain[method](project, parseTokens(amount)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ContractError)
    expect(error).toMatchObject({ reason })
  })

  test('ContractError DeadlinePassed for a trade mined too late', async () => {
    const { project, chain } = await founded()
    await expect(chain.buy(project, 1n, { deadlineSeconds: -1 })).rejects.toMatchObject({
      reason: 'DeadlinePassed',
    })
  })

  test('nothing is sent without an account', async () => {
    const { project } = await founded()
    const reader = await connectChain(market, local())
    await expect(reader.buy(project, parseTokens(1))).rejects.toThrow('needs an `account`')
  })

  test('a project that is not active has no curve', async () => {
    const chain = await connectChain(market, local())
    await expect(chain.quoteBuy({}, 1n)).rejects.toThrow('not active')
  })
})
