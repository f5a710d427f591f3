import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'

/** Rules of a mempool that anvil does not have. */
export interface MempoolRules {
  /** The error of a real node that refuses these bytes. */
  refusal(raw: Hex): Promise<string | undefined>
}

interface Held {
  hash: Hex
  fee: bigint
  tip: bigint
}

/** A replacement must offer at least 10 % more of both fees; anvil takes less. */
export function createMempoolRules(target: string): MempoolRules {
  const held = new Map<string, Held>()
  return {
    async refusal(raw) {
      const hash = keccak256(raw)
      const { nonce, maxFeePerGas: fee = 0n, maxPriorityFeePerGas: tip = 0n } = parseTransaction(raw)
      const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
      const slot = `${sender} ${nonce}`
      const before = held.get(slot)
      if (before && before.hash !== hash && (await isPending(target, before.hash))) {
        const tooLow = fee * 10n < before.fee * 11n || tip * 10n < before.tip * 11n
        if (tooLow) return 'replacement transaction underpriced'
      }
      held.set(slot, { hash, fee, tip })
      return undefined
    },
  }
}

async function isPending(target: string, hash: Hex): Promise<boolean> {
  const answer = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionByHash', params: [hash] }),
  })
  const { result } = (await answer.json()) as { result: { blockNumber: Hex | null } | null }
  return result !== null && result.blockNumber === null
}
