import { HttpRequestError } from 'viem'
import { isRefusedForNow } from './client.ts'
import { nodeErrorText } from './rpc-errors.ts'

/** How nodes and providers refuse to list the logs of so many blocks, or so many logs, by what was seen or is documented. */
const tooMuch: Record<string, RegExp> = {
  'Alchemy, Aurora': /up to an? [\d,.]+K? block range|log response size exceeded/i,
  'Ankr, Frontier': /block range is too (wide|large)|blocks distance/i,
  'Arbitrum, Infura, zkSync': /(exceeds limit of|more than) [\d,.]+/i,
  'Base, Erigon, Monad': /block range too large|limit the query to at most/i,
  'Blast, BlockPI, QuickNode, 1RPC': /limited to (an? )?[\d,.]+|exceeds the range allowed/i,
  Chainstack: /block range limit exceeded/i,
  'Cloudflare, Merkle': /range (is )?too large/i,
  dRPC: /ranges over [\d,.]+ blocks/i,
  'geth forks, publicnode, Scroll, Tron': /max(imum)? ?block ?range/i,
  Optimism: /backend response too large/i,
  Tenderly: /bigger than range limit/i,
  'LlamaNodes, reth': /query exceeds max|too many (blocks|logs|results)/i,
}

/** How providers say that they were asked too often, where no narrower window helps. */
const tooOften: Record<string, RegExp> = {
  Alchemy: /exceeded its (compute units|throughput)/i,
  Ankr: /too many requests/i,
  Infura: /request (count|rate) exceeded|rate limit/i,
  QuickNode: /limit(ed)?\b.*\/(sec|second)/i,
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
