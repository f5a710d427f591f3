import { createPublicClient, type Hex, http, type PublicClient } from 'viem'
import { type Config, ConfigError } from '../../config/config.ts'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { Embedded } from '../../embedded/index.ts'
import { isOfSilentNode } from '../../money/chain/client.ts'

/** The nodes of a chain and the keys that send there. */
export interface ChainSource {
  rpcUrls: string[]
  keys: [Hex, ...Hex[]]
  deployerKey: Hex
}

/** The configured chain or the embedded one; undefined where there is none. */
export function chainSource(config: Config, embedded: Embedded | undefined): ChainSource | undefined {
  const rpcUrls = config.CHAIN_RPC_URL ?? (embedded?.chain && [embedded.chain.rpcUrl])
  const [first, ...others] = config.OPERATOR_PRIVATE_KEYS ?? embedded?.secrets.operatorPrivateKeys ?? []
  if (!rpcUrls || !first) return undefined
  const ofChain = embedded?.chain ? embedded.secrets.deployerPrivateKey : first
  return { rpcUrls, keys: [first, ...others], deployerKey: config.DEPLOYER_PRIVATE_KEY ?? ofChain }
}

/** Longest time a node gets to reply, in ms; twice, because the request is repeated once. */
const replyMs = 10_000
/** The same for finding out whether it replies at all. */
const presenceMs = 3000

/** A node that replies, and the chain that it serves. */
export interface ServedChain {
  chainId: number
  rpcUrl: string
}

/**
 * A finding about each address, and the first that replies, if all that reply serve the same chain. One that does not reply may
 * come back.
 * @throws ConfigError when none replies
 */
export async function findNodes(
  rpcUrls: string[],
  expected: number | undefined,
): Promise<{ findings: Finding[]; served: ServedChain | undefined }> {
  const replies = await Promise.all(
    rpcUrls.map((url) =>
      nodeClient(url, presenceMs)
        .getChainId()
        .catch((cause: unknown) => ({ cause })),
    ),
  )
  const first = replies.findIndex((reply) => typeof reply === 'number')
  const reply = replies[first]
  const rpcUrl = rpcUrls[first]
  if (typeof reply !== 'number' || rpcUrl === undefined) throw noReply(replies)
  const chainId = expected ?? reply
  const reference = expected === undefined ? `address ${first + 1} serves` : 'CHAIN_ID says'
  const findings = replies.map((reply, index): Finding => {
    const about = rpcUrls.length === 1 ? 'CHAIN_RPC_URL' : `CHAIN_RPC_URL, address ${index + 1}`
    if (reply === chainId) return ok(about, `serves chain ${reply}`)
    if (typeof reply === 'number')
      return {
        ...wrong(about, `serves chain ${reply} instead of ${chainId}`),
        atStart: `setting CHAIN_RPC_URL: address ${index + 1} serves chain ${reply}, but ${reference} ${chainId}`,
      }
    const why = nodeErrorText(reply.cause)
    return {
      ...warn(about, `is not reachable: ${why}`),
      atStart: `Address ${index + 1} of CHAIN_RPC_URL does not answer (${why}); going on without it`,
    }
  })
  const isOneChain = findings.every(({ level }) => level !== 'wrong')
  if (expected === undefined)
    findings.push(warn('CHAIN_ID', `not set: any chain will be believed; set it to ${chainId}`))
  return { findings, served: isOneChain ? { chainId, rpcUrl } : undefined }
}

/** A silent node may reply later, so its silence is the cause where others refuse. */
function noReply(replies: (number | { cause: unknown })[]): ConfigError {
  const causes = replies.flatMap((reply) => (typeof reply === 'number' ? [] : [reply.cause]))
  const cause = causes.find(isOfSilentNode) ?? causes[0]
  const why = causes.length > 0 ? nodeErrorText(cause) : 'none is named'
  return new ConfigError([wrong('CHAIN_RPC_URL', `no node responds (${why})`)], { cause })
}

/** A client of one node alone. */
export function nodeClient(url: string, timeout = replyMs): PublicClient {
  return createPublicClient({ transport: http(url, { timeout, retryCount: 1 }) }) as PublicClient
}
