import { HttpRequestError } from 'viem'
import { nodeErrorText } from '../../config/node-error-text.ts'
import { isRefusedForNow } from './client.ts'

/**
 * How nodes and providers refuse to list the logs of so many blocks, or so many logs: by public reports and the tables of
 * other clients; none was tried at the provider. Where a wording is not here, each reading finds the limit anew.
 */
const tooMuch: Record<string, RegExp> = {
  'Alchemy, Aurora': /up to an? [\d,.]+K? block range|log response size exceeded/i,
  'Ankr, Moonbeam': /block range is too wide|blocks distance/i,
  'Arbitrum, Infura, zkEVM': /(exceeds limit of|more than) [\d,.]+/i,
  'Base, cdk-erigon, Monad': /block range too large|limit the query to at most/i,
  'Blast, BlockPI, QuickNode, 1RPC': /limited to (an? )?[\d,.]+|exceeds the range allowed/i,
  Chainstack: /block range limit exceeded/i,
  'Cloudflare, Merkle, Optimism': /range (is )?too large|backend response too large/i,
  'Morph, publicnode, Scroll, Tron': /max(imum)? ?block ?range/i,
  'Ankr, LlamaNodes, reth': /query exceeds max/i,
}

/** How providers say that they were asked too often, where no narrower window helps; from the same sources. */
const tooOften: Record<string, RegExp> = {
  Alchemy: /exceeded its compute units/i,
  Infura: /request (count|rate) exceeded/i,
  QuickNode: /credits limited to .*\/sec/i,
}

/** HTTP status of a request for too much, whatever its text. */
const contentTooLarge = 413

/** What a failed reading of logs says about the number of blocks that were asked for. */
export type LogRefusal =
  /** Fewer have to be asked for, now and later. */
  | 'too much'
  /** The node wants to be asked later. */
  | 'too often'
  /** Nothing that is known: fewer may help. */
  | 'unknown'

/** Reads from the error of a node why it did not list logs. */
export function refusalOf(error: unknown): LogRefusal {
  const text = nodeErrorText(error)
  const says = (wordings: Record<string, RegExp>) =>
    Object.values(wordings).some((wording) => wording.test(text))
  if (isRefusedForNow(error) || says(tooOften)) return 'too often'
  const isTooLarge = error instanceof HttpRequestError && error.status === contentTooLarge
  return isTooLarge || says(tooMuch) ? 'too much' : 'unknown'
}
