import {
  type Address,
  createPublicClient,
  formatEther,
  type Hex,
  http,
  isAddressEqual,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Chain, connectChain } from '../../chain/chain.ts'
import { estimateDeployment } from '../../chain/deploy/cost.ts'
import { type ContractParameters, predictDeployment } from '../../chain/deploy/deploy.ts'
import { deploymentObstacle } from '../../chain/deploy/obstacle.ts'
import { hasCode } from '../../chain/deploy/sender.ts'
import { finalityOf } from '../../chain/finality.ts'
import { type GasBalance, readGasBalances } from '../../chain/gas.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { readTag, type TagState } from '../../startup/connect/block-tag.ts'
import { chooseWallet, contractParameters, withoutRole } from '../../startup/connect/contracts.ts'
import { askNodes, nodeClient } from '../../startup/connect/nodes.ts'
import { type Finding, ok, warn, wrong } from './finding.ts'

const lateSeconds = 300

/** Checks the configured nodes for everything that the service needs; sends nothing. */
export async function checkChain(config: Config, db: Database | undefined): Promise<Finding[]> {
  const { CHAIN_RPC_URL: rpcUrls, OPERATOR_PRIVATE_KEYS: keys } = config
  if (!rpcUrls || !keys) {
    const text = config.EMBEDDED === 'off' ? 'activations and payouts get 503' : 'an embedded chain will run'
    return [(config.EMBEDDED === 'off' ? warn : ok)('CHAIN_RPC_URL', `not set: ${text}`)]
  }
  const { findings, chainId, rpcUrl } = await checkNodes(rpcUrls, config.CHAIN_ID)
  if (chainId === undefined || rpcUrl === undefined) return findings
  try {
    const operators = keys.map((key) => privateKeyToAccount(key as Hex))
    const wallet = await findWallet(config, db, { chainId, rpcUrl, operators })
    if (wallet.findings) return [...findings, ...wallet.findings]
    if (wallet.lost) findings.push(warn('contracts', `${wallet.lost}: others will be used`))
    if (wallet.deploys)
      return [...findings, ...(await checkDeployment(rpcUrl, operators, wallet.deploys, config))]
    const chain = await connectChain({ chainId, rpcUrls, operators, platformWallet: wallet.address })
    return [...findings, ...(await checkContracts(chain, config, wallet.addsOperatorsAs))]
  } catch (error) {
    const about = config.PLATFORM_WALLET_ADDRESS ? 'PLATFORM_WALLET_ADDRESS' : 'CHAIN_RPC_URL'
    return [...findings, wrong(about, nodeErrorText(error))]
  }
}

async function checkNodes(rpcUrls: string[], expected: number | undefined) {
  const answers = await askNodes(rpcUrls)
  const served = answers.map((answer) => ('chainId' in answer ? answer.chainId : undefined))
  const first = served.findIndex((id) => id !== undefined)
  const wanted = expected ?? served[first]
  const findings = answers.map((answer, index) => {
    const about = rpcUrls.length === 1 ? 'CHAIN_RPC_URL' : `CHAIN_RPC_URL, address ${index + 1}`
    if ('failure' in answer) return (first < 0 ? wrong : warn)(about, `is not reachable: ${answer.failure}`)
    return answer.chainId === wanted
      ? ok(about, `serves chain ${answer.chainId}`)
      : wrong(about, `serves chain ${answer.chainId} instead of ${wanted}`)
  })
  if (first >= 0 && expected === undefined)
    findings.push(warn('CHAIN_ID', `not set: any chain will be believed; set it to ${wanted}`))
  const usable = !findings.some(({ level }) => level === 'wrong')
  return { findings, chainId: usable ? wanted : undefined, rpcUrl: rpcUrls[first] }
}

/** The platform wallet, or what is wrong with it, or how it will be deployed. */
type Wallet = { lost?: string | undefined } & (
  | { address: Address; addsOperatorsAs?: Address; findings?: undefined; deploys?: undefined }
  | { findings: Finding[]; deploys?: undefined }
  | { deploys: { deployer: Address; parameters: ContractParameters }; findings?: undefined }
)

async function findWallet(
  config: Config,
  db: Database | undefined,
  at: { chainId: number; rpcUrl: string; operators: PrivateKeyAccount[] },
): Promise<Wallet> {
  const { DEPLOYER_PRIVATE_KEY: key } = config
  const { address: deployer } = key ? privateKeyToAccount(key as Hex) : (at.operators[0] as PrivateKeyAccount)
  const given = config.PLATFORM_WALLET_ADDRESS
  if (given)
    return (await hasCode(nodeClient(at.rpcUrl), given))
      ? { address: given }
      : { findings: [wrong('PLATFORM_WALLET_ADDRESS', `there is no contract at ${given}`)] }
  const parameters = contractParameters(config, deployer)
  const { address, isKept, lost } = await chooseWallet(db, { ...at, parameters })
  if (isKept) return { address }
  const isThere = await hasCode(nodeClient(at.rpcUrl), address)
  return {
    lost,
    ...(isThere ? { address, addsOperatorsAs: deployer } : { deploys: { deployer, parameters } }),
  }
}

/** Whether the contracts would work, and whether the keys can pay for the deployment at the start and for payouts after it. */
async function checkDeployment(
  rpcUrl: string,
  operators: PrivateKeyAccount[],
  { deployer, parameters }: { deployer: Address; parameters: ContractParameters },
  config: Config,
): Promise<Finding[]> {
  const client = createPublicClient({ transport: http(rpcUrl) }) as PublicClient
  const addresses = operators.map(({ address }) => address)
  const [obstacle, { balance, needed }, gasBalances] = await Promise.all([
    deploymentObstacle(client, parameters.treasury),
    estimateDeployment(rpcUrl, deployer, { parameters, operators: addresses }),
    readGasBalances({ client, operators }),
  ])
  const wallet = predictDeployment(parameters).platformWallet
  const tooPoor = `${deployer} holds ${formatEther(balance)} ether and needs about ${formatEther(needed)}`
  const why = obstacle?.why ?? (balance < needed ? tooPoor : undefined)
  const deployment =
    why === undefined
      ? ok('contracts', `will be deployed at the start by ${deployer}; the platform wallet will be ${wallet}`)
      : wrong('contracts', `cannot be deployed: ${why}`)
  return [deployment, ...describeGas(gasBalances, config)]
}

function describeGas(gasBalances: GasBalance[], { LOW_GAS_PAYOUTS }: Config): Finding[] {
  return gasBalances.map(({ address, balance, payouts }) =>
    (payouts < LOW_GAS_PAYOUTS ? warn : ok)(
      'gas',
      `${address} holds ${formatEther(balance)} ether, enough for about ${payouts} payouts`,
    ),
  )
}

function checkTag(tag: TagState, { FINALITY }: Config): Finding[] {
  if (tag.state === 'unused') return []
  if (tag.state === 'unknown') return [wrong('FINALITY', `${tag.why}: no payout would ever be confirmed`)]
  return [ok('FINALITY', `${FINALITY} is block ${tag.block}, ${tag.head - tag.block} behind the newest`)]
}

async function checkContracts(chain: Chain, config: Config, addsOperatorsAs?: Address): Promise<Finding[]> {
  const [keysWithoutRole, gasBalances, paused, head, tag] = await Promise.all([
    withoutRole(chain),
    readGasBalances(chain),
    chain.isPaused(),
    chain.client.getBlock(),
    readTag(chain.client, finalityOf(config, chain.id)),
  ])
  const late = Math.round(Date.now() / 1000 - Number(head.timestamp))
  return [
    ok('contracts', `platform wallet ${chain.platformWallet}, factory ${chain.projectFactory}`),
    ...checkTag(tag, config),
    ...(late > lateSeconds ? [warn('CHAIN_RPC_URL', `the newest block is ${late} s old`)] : []),
    ...describeOperators(chain, keysWithoutRole, addsOperatorsAs),
    ...describeGas(gasBalances, config),
    ...(paused ? [warn('payouts', 'the platform wallet is paused by its owner')] : []),
    ...(config.PAYOUTS_ENABLED ? [] : [warn('PAYOUTS_ENABLED', 'false: approvals get 503')]),
  ]
}

/** The owner's key adds missing operators at the start, where it is the one that deploys. */
function describeOperators(chain: Chain, lacking: string[], addsOperatorsAs: Address | undefined): Finding[] {
  const about = 'OPERATOR_PRIVATE_KEYS'
  if (lacking.length === 0) return [ok(about, `${chain.operators.length} operators of the platform wallet`)]
  if (addsOperatorsAs && isAddressEqual(addsOperatorsAs, chain.owner))
    return [
      ok(
        about,
        `${lacking.length} of ${chain.operators.length} will be added at the start by ${chain.owner}`,
      ),
    ]
  return lacking.map((text) => wrong(about, text))
}
