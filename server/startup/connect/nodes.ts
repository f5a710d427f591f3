import { type Address, createPublicClient, http } from 'viem'
import { isOfSilentNode } from '../../chain/client.ts'
import {
  CONTRACT_DEFAULTS,
  type ContractAddresses,
  type ContractParameters,
} from '../../chain/deploy/deploy.ts'
import { platformWallet } from '../../chain/generated/contracts.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { type Config, ConfigError } from '../../config/config.ts'

/** What a node said when asked which chain it serves. */
export type NodeResponse = { chainId: number } | { failure: string; cause: unknown }

/** Longest time a node gets to answer, in ms; twice, because it is asked again. */
const answerMs = 10_000
/** The same, to tell whether it is there at all. */
const presenceMs = 3000

/** Asks every address which chain it serves, in their order. */
export async function askNodes(rpcUrls: string[]): Promise<NodeResponse[]> {
  return Promise.all(
    rpcUrls.map(async (url) => {
      try {
        return { chainId: await readerOf(url, presenceMs).getChainId() }
      } catch (cause) {
        return { failure: nodeErrorText(cause), cause }
      }
    }),
  )
}

/**
 * The chain that all nodes serve, and the first address that answers. A node that does not answer is named and may
 * come back; one on another chain is refused.
 * @throws ConfigError
 */
export async function servedChain(
  rpcUrls: string[],
  expected: number | undefined,
  say: (line: string) => void,
): Promise<{ chainId: number; rpcUrl: string }> {
  const answers = await askNodes(rpcUrls)
  const first = answers.findIndex((answer) => 'chainId' in answer)
  const served = answers[first]
  const rpcUrl = rpcUrls[first]
  if (!served || !('chainId' in served) || rpcUrl === undefined) throw nobodyAnswers(answers)
  for (const [index, answer] of answers.entries()) {
    if ('failure' in answer)
      say(`Address ${index + 1} of CHAIN_RPC_URL does not answer (${answer.failure}); going on without it`)
    else if (answer.chainId !== (expected ?? served.chainId))
      throw new ConfigError(
        `setting CHAIN_RPC_URL: address ${index + 1} serves chain ${answer.chainId}, ` +
          `but ${expected === undefined ? `address ${first + 1} serves` : 'CHAIN_ID says'} ${expected ?? served.chainId}`,
      )
  }
  return { chainId: served.chainId, rpcUrl }
}

/** A node that is silent may answer later, so its silence is the cause where others only refuse. */
function nobodyAnswers(answers: NodeResponse[]): ConfigError {
  const failures = answers.filter((answer) => 'failure' in answer)
  const named = failures.find(({ cause }) => isOfSilentNode(cause)) ?? failures[0]
  return new ConfigError(`setting CHAIN_RPC_URL: no node answers (${named?.failure ?? 'none is named'})`, {
    cause: named?.cause,
  })
}

/** What the contracts are made with. */
export function contractParameters(config: Config, deployer: Address): ContractParameters {
  const owner = config.OWNER_ADDRESS ?? deployer
  const treasury = config.TREASURY_ADDRESS ?? owner
  return { ...CONTRACT_DEFAULTS, owner, treasury, bountyReserveBps: config.BOUNTY_RESERVE_BPS }
}

/** Whether a contract is at `address`. */
export async function hasCode(rpcUrl: string, address: Address): Promise<boolean> {
  const code = await readerOf(rpcUrl).getCode({ address })
  return code !== undefined && code !== '0x'
}

/** What would have to be sent to make `contracts` obey `operators`, in words; nothing where all is there. */
export async function missingOnChain(
  rpcUrl: string,
  contracts: ContractAddresses,
  operators: Address[],
): Promise<string[]> {
  if (!(await hasCode(rpcUrl, contracts.projectFactory))) return ['the contracts have to be deployed']
  const known = await Promise.all(
    operators.map((operator) =>
      readerOf(rpcUrl).readContract({
        abi: platformWallet.abi,
        address: contracts.platformWallet,
        functionName: 'isOperator',
        args: [operator],
      }),
    ),
  )
  return operators
    .filter((_, index) => !known[index])
    .map((operator) => `operator ${operator} has to be added`)
}

function readerOf(url: string, timeout = answerMs) {
  return createPublicClient({ transport: http(url, { timeout, retryCount: 1 }) })
}
