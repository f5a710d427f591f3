import type { Address, Hash, PublicClient, TransactionReceipt } from 'viem'
import { formatTransactionReceipt } from 'viem'
import { type Depth, depthOf, type Finality, taggedBlock } from '../../chain/finality.ts'

/** What a node shows of a signer at one moment. */
export interface ChainView {
  depth: Depth
  headHash: Hash
  /** Nonces below this one are used up. */
  minedNonce: number
  /** Canonical hash of the block at a height; undefined where the node has none. */
  blockHash(blockNumber: number): Promise<Hash | undefined>
}

/**
 * Reads the head and the mined nonce. A view asks for each block hash at most once.
 * @throws when the node serves another chain than `chainId`: its nonces and receipts would mean nothing.
 */
export async function readChainView(
  client: PublicClient,
  chainId: number,
  address: Address,
  finality: Finality,
): Promise<ChainView> {
  const [id, head, minedNonce, tagged] = await Promise.all([
    client.getChainId(),
    client.getBlock({ blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'latest' }),
    taggedBlock(client, finality),
  ])
  if (id !== chainId) throw new Error(`the node serves chain ${id} instead of ${chainId}`)
  const headNumber = Number(head.number)
  const hashes = new Map<number, Promise<Hash | undefined>>([[headNumber, Promise.resolve(head.hash)]])
  return {
    depth: depthOf(headNumber, tagged, finality),
    headHash: head.hash,
    minedNonce,
    blockHash(blockNumber) {
      let hash = hashes.get(blockNumber)
      if (!hash) {
        hash = canonicalHash(client, blockNumber)
        hashes.set(blockNumber, hash)
      }
      return hash
    },
  }
}

async function canonicalHash(client: PublicClient, blockNumber: number): Promise<Hash | undefined> {
  const block = await client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${blockNumber.toString(16)}`, false],
  })
  return block?.hash ?? undefined
}

/**
 * The receipt of a transaction that is mined on the canonical chain. Nodes have also returned receipts of other
 * transactions and of blocks that were not canonical; both count as none.
 */
export async function canonicalReceipt(
  client: PublicClient,
  hash: Hash,
  blockHash: ChainView['blockHash'] = (blockNumber) => canonicalHash(client, blockNumber),
): Promise<TransactionReceipt | undefined> {
  const reply = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  if (!reply?.blockHash || reply.transactionHash.toLowerCase() !== hash) return undefined
  // A node may leave the status out. What has reverted leaves no log, and each call of ours that succeeds leaves one.
  const status = reply.status ?? (reply.logs.length > 0 ? '0x1' : '0x0')
  const receipt = formatTransactionReceipt({ ...reply, status })
  return (await blockHash(Number(receipt.blockNumber))) === receipt.blockHash ? receipt : undefined
}

/** The canonical receipt of the one among `hashes` that is mined. A receipt of another sender counts as none. */
export async function findReceipt(
  client: PublicClient,
  view: Pick<ChainView, 'blockHash'>,
  sender: Address,
  hashes: Hash[],
): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    const receipt = await canonicalReceipt(client, hash, view.blockHash)
    if (receipt?.from.toLowerCase() === sender.toLowerCase()) return receipt
  }
  return undefined
}
