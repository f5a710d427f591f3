import { createPublicClient, http } from 'viem'
import { isOfSilentNode } from '../../chain/client.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { ConfigError } from '../../config/config.ts'

/** The chain that a node serves, or why it did not reply. */
export type NodeReply = { chainId: number } | { failure: string; cause: unknown }

/** Longest time a node gets to reply, in ms; twice, because the request is repeated once. */
const replyMs = 10_000
/** The same for finding out whether it replies at all. */
const presenceMs = 3000

/** Asks every address which chain it serves, in their order. */
export async function askNodes(rpcUrls: string[]): Promise<NodeReply[]> {
  return Promise.all(
    rpcUrls.map(async (url) => {
      try {
        return { chainId: await nodeClient(url, presenceMs).getChainId() }
      } catch (cause) {
        return { failure: nodeErrorText(cause), cause }
      }
    }),
  )
}

/**
 * The chain that all nodes serve, and the first address that replies. A node that does not reply is reported and may come
 * back.
 * @throws ConfigError when a node serves another chain, or when none replies
 */
export async function servedChain(
  rpcUrls: string[],
  expected: number | undefined,
  report: (line: string) => void,
): Promise<{ chainId: number; rpcUrl: string }> {
  const replies = await askNodes(rpcUrls)
  const first = replies.findIndex((reply) => 'chainId' in reply)
  const served = replies[first]
  const rpcUrl = rpcUrls[first]
  if (!served || !('chainId' in served) || rpcUrl === undefined) throw noReply(replies)
  for (const [index, reply] of replies.entries()) {
    if ('failure' in reply)
      report(`Address ${index + 1} of CHAIN_RPC_URL does not answer (${reply.failure}); going on without it`)
    else if (reply.chainId !== (expected ?? served.chainId))
      throw new ConfigError(
        `setting CHAIN_RPC_URL: address ${index + 1} serves chain ${reply.chainId}, ` +
          `but ${expected === undefined ? `address ${first + 1} serves` : 'CHAIN_ID says'} ${expected ?? served.chainId}`,
      )
  }
  return { chainId: served.chainId, rpcUrl }
}

/** A silent node may reply later, so its silence is the cause where others refuse. */
function noReply(replies: NodeReply[]): ConfigError {
  const failures = replies.filter((reply) => 'failure' in reply)
  const named = failures.find(({ cause }) => isOfSilentNode(cause)) ?? failures[0]
  return new ConfigError(`setting CHAIN_RPC_URL: no node responds (${named?.failure ?? 'none is named'})`, {
    cause: named?.cause,
  })
}

/** A client of one node alone. */
export function nodeClient(url: string, timeout = replyMs) {
  return createPublicClient({ transport: http(url, { timeout, retryCount: 1 }) })
}
