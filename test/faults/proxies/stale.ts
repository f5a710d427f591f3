import type { Hex } from 'viem'

/** A request to a node that lags behind. */
export interface StaleView {
  call: { method: string; params: unknown[] }
  forward(changed?: { method?: string; params?: unknown[] }): Promise<Record<string, unknown>>
}

const unknownBlock = { error: { code: -32000, message: 'header not found' } }
/** Position of the block in the parameters of a read. */
const blockParameter: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getTransactionCount: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_call: 1,
  eth_estimateGas: 1,
}

/** The reply of a node that does not know the newest `behind` blocks. */
export async function staleAnswer(view: StaleView, behind: number): Promise<Record<string, unknown>> {
  const { call, forward } = view
  const { result } = (await forward({ method: 'eth_blockNumber', params: [] })) as { result: Hex }
  const head = Math.max(0, Number(result) - behind)
  const known = `0x${head.toString(16)}`
  if (call.method === 'eth_blockNumber') return { result: known }
  if (call.method === 'eth_getTransactionReceipt') {
    const answer = (await forward()) as { result: { blockNumber: Hex } | null }
    return answer.result && Number(answer.result.blockNumber) > head ? { result: null } : answer
  }
  const position = blockParameter[call.method]
  if (position === undefined) return forward()
  const asked = call.params[position]
  if (typeof asked === 'string' && asked.startsWith('0x')) {
    if (Number(asked) <= head) return forward()
    return call.method === 'eth_getBlockByNumber' ? { result: null } : unknownBlock
  }
  const params = [...call.params]
  params[position] = known
  return forward({ params })
}
