import { type Address, formatEther, isAddressEqual, type PrivateKeyAccount, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Config, ConfigError } from '../../config/config.ts'
import { type Finding, lineAtStart, ok, warn, wrong } from '../../config/finding.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { Database } from '../../db/client.ts'
import { type Chain, type ConnectedChain, connectChain } from '../../money/chain/chain.ts'
import { isOfSilentNode } from '../../money/chain/client.ts'
import { deploymentProblem } from '../../money/chain/deploy/cost.ts'
import {
  type ContractParameters,
  type DeployOptions,
  predictDeployment,
} from '../../money/chain/deploy/deploy.ts'
import { hasCode, notOperators } from '../../money/chain/deploy/on-chain.ts'
import { failedNode, summary } from '../../money/chain/deploy/sender.ts'
import { contractParameters } from '../../money/chain/deploy/settings.ts'
import { finalityOf, taggedBlock } from '../../money/chain/finality.ts'
import { readGasBalances } from '../../money/chain/gas.ts'
import { isLaneOpen } from '../../money/transactions/lane/lease.ts'
import { type ChainSource, findNodes, nodeClient, type ServedChain } from './nodes.ts'
import { rememberedWallet } from './remembered-wallet.ts'

/** What the chain has for us now, and what a start has to add. */
export interface ChainPlan {
  /** In the order in which `config:check` prints them. What is `wrong` ends a start. */
  findings: Finding[]
  /** The deployment that a start makes; undefined where nothing is missing or nothing may be sent. */
  missing?: DeployOptions | undefined
  /** The chain with our contracts; undefined where there are none. */
  chain?: ConnectedChain | undefined
}

const lateSeconds = 300
/** A chain that supports the tag has a first such block before it has this many blocks. */
const youngChain = 10_000

/**
 * Reads nodes, contracts, finality and gas, for `config:check`, `setup` and a start alike. Sends nothing.
 * @throws ConfigError where no node replies or no platform wallet responds, and DeploymentError where a node fails later
 */
export async function planChain(
  config: Config,
  db: Database | undefined,
  source: ChainSource,
): Promise<ChainPlan> {
  const { findings, served } = await findNodes(source.rpcUrls, config.CHAIN_ID)
  if (!served) return { findings }
  const plan = await planContracts(config, db, { ...source, ...served }).catch(failedNode)
  return { ...plan, findings: [...findings, ...plan.findings] }
}

async function planContracts(
  config: Config,
  db: Database | undefined,
  { chainId, rpcUrl, rpcUrls, keys, deployerKey }: ChainSource & ServedChain,
): Promise<ChainPlan> {
  const node = nodeClient(rpcUrl)
  const operators = keys.map((key) => privateKeyToAccount(key))
  const addresses = operators.map(({ address }) => address)
  const deployer = privateKeyToAccount(deployerKey).address
  const parameters = contractParameters(config, deployer)
  const { wallet, isKept, lost } = await chooseWallet(config, db, { node, chainId, parameters })
  const isThere = await hasCode(node, wallet)
  if (!isThere && isKept) return { findings: [absentWallet(wallet, chainId)] }
  const chain = isThere ? await connectWallet(config, { chainId, rpcUrls, operators, wallet }) : undefined
  const client = chain?.client ?? node
  const lacking = chain ? await notOperators(client, wallet, addresses) : []
  const toDo = chain
    ? lacking.map((address) => `operator ${address} has to be added`)
    : ['the contracts have to be deployed']
  const isIncomplete = !isKept && toDo.length > 0
  const sends = isIncomplete && (!chain || isAddressEqual(deployer, chain.owner))
  // A nonce that the deployer takes from a lane would look like an external caller's transaction and stop a payout.
  const isBusy =
    isIncomplete && addresses.includes(deployer) && db && (await isLaneOpen(db, chainId, deployer))
  const [tag, gas, late = 0, isPaused] = await Promise.all([
    findTag(client, config, chainId),
    findGas(client, operators, config),
    chain?.secondsSinceBlock(),
    chain?.isPaused(),
  ])
  const findings = [
    ...lost,
    chain
      ? ok('contracts', `platform wallet ${wallet}, factory ${chain.projectFactory}`)
      : await findDeployment(node, deployer, { parameters, operators: addresses }),
    ...(sends && isBusy ? [wrong('DEPLOYER_PRIVATE_KEY', neededFor(toDo, deployer))] : []),
    ...tag,
    ...(late > lateSeconds ? [warn('CHAIN_RPC_URL', `the newest block is ${late} s old`)] : []),
    ...(chain ? findOperators(chain, lacking, sends) : []),
    ...gas,
    ...(chain ? findDollar(chain, config) : []),
    ...(isPaused ? [warn('payouts', 'the platform wallet is paused by its owner')] : []),
    ...(config.PAYOUTS_ENABLED ? [] : [warn('PAYOUTS_ENABLED', 'false: approvals get 503')]),
  ]
  if (!isIncomplete || isBusy || tag.some(({ level }) => level === 'wrong')) return { findings, chain }
  const deployment = { ...parameters, rpcUrl, expectedChainId: chainId, operators: addresses }
  return { findings, chain, missing: { ...deployment, deployerPrivateKey: deployerKey } }
}

const neededFor = (toDo: string[], deployer: Address) =>
  `needed, because ${toDo.join(', ')}, and operator ${deployer} is busy paying`

/**
 * The platform wallet, and whether it is kept as it is: the given one, or that of this database if it is on the chain. Another
 * version or other settings would deploy new contracts, which could not pay what the old ones promised. Else that of the
 * contracts with these parameters.
 */
async function chooseWallet(
  config: Config,
  db: Database | undefined,
  at: { node: PublicClient; chainId: number; parameters: ContractParameters },
): Promise<{ wallet: Address; isKept: boolean; lost: Finding[] }> {
  const given = config.PLATFORM_WALLET_ADDRESS
  if (given) return { wallet: given, isKept: true, lost: [] }
  const { platformWallet: wallet } = predictDeployment(at.parameters)
  const remembered = db && (await rememberedWallet(db, at.chainId))
  if (!remembered || remembered === wallet) return { wallet, isKept: false, lost: [] }
  if (await hasCode(at.node, remembered)) return { wallet: remembered, isKept: true, lost: [] }
  const text = `The platform wallet ${remembered} of this database is not on chain ${at.chainId}`
  const lost = { ...warn('contracts', `${text}: others will be used`), atStart: `${text}: deploying another` }
  return { wallet, isKept: false, lost: [lost] }
}

function absentWallet(wallet: Address, chainId: number): Finding {
  const finding = wrong('PLATFORM_WALLET_ADDRESS', `there is no contract at ${wallet}`)
  return { ...finding, atStart: `${lineAtStart(finding)} on chain ${chainId}` }
}

/** @throws ConfigError */
async function connectWallet(
  config: Config,
  { wallet, ...at }: { chainId: number; rpcUrls: string[]; operators: PrivateKeyAccount[]; wallet: Address },
): Promise<ConnectedChain> {
  try {
    return await connectChain({ ...at, name: config.CHAIN_NAME, platformWallet: wallet })
  } catch (cause) {
    if (isOfSilentNode(cause)) throw cause
    const setting = config.PLATFORM_WALLET_ADDRESS ? 'PLATFORM_WALLET_ADDRESS' : 'CHAIN_RPC_URL'
    const text = `what is at ${wallet} does not answer as a platform wallet (${summary(cause)})`
    throw new ConfigError([wrong(setting, text)], { cause })
  }
}

async function findDeployment(
  node: PublicClient,
  deployer: Address,
  deployment: { parameters: ContractParameters; operators: Address[] },
): Promise<Finding> {
  const problem = await deploymentProblem(node, deployer, deployment)
  if (problem !== undefined) return wrong('contracts', `cannot be deployed: ${problem}`)
  const { platformWallet: wallet } = predictDeployment(deployment.parameters)
  return ok(
    'contracts',
    `will be deployed at the start by ${deployer}; the platform wallet will be ${wallet}`,
  )
}

/** Whether the node knows the tag that receipts have to reach. */
async function findTag(client: PublicClient, config: Config, chainId: number): Promise<Finding[]> {
  const finality = finalityOf(config, chainId)
  const { tag } = finality
  if (!tag) return []
  const unknown = (why: string) => [wrong('FINALITY', `${why}: no payout would ever be confirmed`)]
  try {
    const [block = 0, head] = await Promise.all([taggedBlock(client, finality), client.getBlockNumber()])
    if (block === 0 && head > youngChain) return unknown(`the node has no ${tag} block`)
    return [ok('FINALITY', `${tag} is block ${block}, ${Number(head) - block} behind the newest`)]
  } catch (error) {
    if (isOfSilentNode(error)) throw error
    return unknown(`the node does not know the block tag ${tag} (${nodeErrorText(error)})`)
  }
}

/** The owner's key adds missing operators at the start, where it is the one that deploys. */
function findOperators(
  { owner, operators, platformWallet: wallet }: Chain,
  lacking: Address[],
  isAdded: boolean,
): Finding[] {
  const about = 'OPERATOR_PRIVATE_KEYS'
  if (lacking.length === 0) return [ok(about, `${operators.length} operators of the platform wallet`)]
  if (isAdded)
    return [ok(about, `${lacking.length} of ${operators.length} will be added at the start by ${owner}`)]
  return lacking.map((address) =>
    wrong(
      about,
      `${address} is not an operator of the platform wallet ${wallet}: ` +
        `its owner ${owner} has to add it: \`npm run contracts -- add-operator ${address}\` with OWNER_PRIVATE_KEY`,
    ),
  )
}

/** Whether founders can lock dollars. The platform wallet alone decides; the setting is for contracts that are yet to be made. */
function findDollar({ dollar, noDollar }: Chain, { DOLLAR_ADDRESS: wanted }: Config): Finding[] {
  const about = 'DOLLAR_ADDRESS'
  if (dollar && isAddressEqual(dollar.address, wanted ?? dollar.address))
    return [ok(about, `the platform wallet takes ${dollar.address}`)]
  if (!dollar && !wanted) return [ok(about, `there are no dollars: ${noDollar}`)]
  const finding = dollar
    ? warn(about, `the platform wallet was made with ${dollar.address}, which cannot be changed`)
    : warn(about, `there are no dollars: ${noDollar}, which cannot be changed`)
  return [{ ...finding, atStart: lineAtStart(finding) }]
}

/** Whether the keys can pay for payouts. */
async function findGas(
  client: PublicClient,
  operators: PrivateKeyAccount[],
  { LOW_GAS_PAYOUTS }: Config,
): Promise<Finding[]> {
  const balances = await readGasBalances({ client, operators })
  return balances.map(({ address, balance, payouts }) =>
    (payouts < LOW_GAS_PAYOUTS ? warn : ok)(
      'gas',
      `${address} holds ${formatEther(balance)} ether, enough for about ${payouts} payouts`,
    ),
  )
}
