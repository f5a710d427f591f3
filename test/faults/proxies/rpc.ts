import { setTimeout as delay } from 'node:timers/promises'
import { type Hex, keccak256 } from 'viem'
import { type RpcCall, type Exchange as ServedExchange, startRpcServer } from '../../support/rpc-server.ts'
import { staleAnswer } from './stale.ts'
import { type NodeName, type Wording, wordings } from './wordings.ts'

/** What a fault does to a request. */
export type RpcFault =
  /** It takes effect, and the reply is lost. */
  | { kind: 'answer lost' }
  /** It is lost before it takes effect. */
  | { kind: 'request lost' }
  | { kind: 'status'; status: 429 | 500 | 502 | 503 }
  | { kind: 'html' | 'truncated' | 'wrong id' }
  | { kind: 'late'; ms: number }
  /** Reads: the newest `behind` blocks are unknown. */
  | { kind: 'stale'; behind: number }
  /** Receipts: there is none, or another transaction's. */
  | { kind: 'no receipt' | 'foreign receipt' }
  /** Sent bytes: refused in a node's words, after taking them or not. */
  | { kind: 'wording'; wording: Wording; node: NodeName; accepted: boolean }
  /** Receipts: without what happened. */
  | { kind: 'no logs' }
  /** Sent bytes: the process that sent them is killed or stopped, after the node has taken them or before. */
  | { kind: 'sender struck'; accepted: boolean; action: 'kill' | 'stop' }
  /** Sent bytes: the reply has their hash, and they are thrown away. */
  | { kind: 'swallowed' }
  /** Logs: none is listed, without an error, as by a backend that is behind. */
  | { kind: 'unlisted logs' }
  /** Logs: refused for more than `most` blocks. */
  | { kind: 'few logs'; most: number }
  /** Receipts: without their status. */
  | { kind: 'no status' }
  /** Reads that are refused: in words that do not say why. */
  | { kind: 'bare refusal' }

/** Which requests a fault hits. */
export interface RpcAim {
  fault: RpcFault
  /** `send`: sent bytes; `read`: everything else; `receipt` and `logs`: those only. */
  on: 'send' | 'read' | 'receipt' | 'logs' | 'any'
  /** Requests that pass before the first hit. */
  after: number
  /** Hits. */
  times: number
  /** The share of matching requests that it hits. */
  share?: () => boolean
}

/** A proxy in front of a JSON-RPC node that injects faults. */
export interface RpcProxy {
  /** Where the service of a slot finds it. */
  urlFor(slot: number): string
  /** Returns how many requests it has met so far. */
  arm(aim: RpcAim): () => number
  /** How often bytes were sent. */
  sends(): number
  /** The bytes that were sent, each once, in their order. */
  sent(): readonly Hex[]
  /** Requests that a fault has met. */
  hits(): number
  /** Ends all faults. */
  heal(): void
  close(): Promise<void>
}

const kinds: Record<string, RpcAim['on']> = {
  eth_sendRawTransaction: 'send',
  eth_getTransactionReceipt: 'receipt',
  eth_getLogs: 'logs',
}

/** A request to the one node. */
type Exchange = ServedExchange & { forward(changed?: Partial<RpcCall>): Promise<Record<string, unknown>> }

/**
 * @param options.beforeSend is called with the hash of sent bytes before anything happens with them
 * @param options.strikeSender ends or stops the process of a slot, whose request this is
 */
export async function createRpcProxy(options: {
  target: string
  beforeSend(hash: Hex): Promise<void>
  strikeSender(slot: number, action: 'kill' | 'stop'): void
}): Promise<RpcProxy> {
  let aims: (RpcAim & { met: number })[] = []
  let hits = 0
  let sends = 0
  const sent = new Set<Hex>()
  const server = await startRpcServer(async (served) => {
    const { call, path, forwardTo } = served
    const exchange = { ...served, forward: (changed = {}) => forwardTo(options.target, changed) }
    if (call.method === 'eth_sendRawTransaction') {
      sends++
      sent.add(call.params[0] as Hex)
      await options.beforeSend(keccak256(call.params[0] as Hex))
    }
    const fault = takeFault(call.method)
    const strike = (action: 'kill' | 'stop') => options.strikeSender(Number(path.slice(1)), action)
    if (fault) return spoil(fault, exchange, strike)
    served.answer(await exchange.forward())
  })

  function takeFault(method: string): RpcFault | undefined {
    const kind = kinds[method] ?? 'read'
    for (const aim of aims) {
      const isMeant = aim.on === 'any' || aim.on === kind || (aim.on === 'read' && kind !== 'send')
      if (!isMeant || aim.times <= 0 || (aim.share && !aim.share())) continue
      if (aim.after-- > 0) continue
      aim.times--
      hits++
      aim.met++
      return aim.fault
    }
    return undefined
  }

  return {
    urlFor: (slot) => `${server.url}/${slot}`,
    hits: () => hits,
    sends: () => sends,
    sent: () => [...sent],
    arm(aim) {
      const armed = { ...aim, met: 0 }
      aims.push(armed)
      return () => armed.met
    },
    heal() {
      aims = []
    },
    close: server.close,
  }
}

async function spoil(
  fault: RpcFault,
  exchange: Exchange,
  strike: (action: 'kill' | 'stop') => void,
): Promise<void> {
  const { call, answer, forward, raw, hangUp } = exchange
  switch (fault.kind) {
    case 'answer lost':
      await forward()
      return hangUp()
    case 'request lost':
      return hangUp()
    case 'status':
      return raw(fault.status, 'text/plain', 'try again later')
    case 'html':
      return raw(200, 'text/html', '<html><body>Bad gateway</body></html>')
    case 'truncated':
      return raw(
        200,
        'application/json',
        JSON.stringify({ jsonrpc: '2.0', id: call.id, result: '0x' }).slice(0, -6),
      )
    case 'wrong id':
      return raw(200, 'application/json', '{"jsonrpc":"2.0","id":987654321,"result":"0x1"}')
    case 'late':
      await delay(fault.ms)
      return answer(await forward())
    case 'stale':
      return answer(await staleAnswer(exchange, fault.behind))
    case 'sender struck':
      if (fault.accepted) await forward()
      strike(fault.action)
      return hangUp()
    case 'no logs':
      return answer(withoutLogs(await forward()))
    case 'no receipt':
      return answer({ result: null })
    case 'foreign receipt':
      return answer(await foreignReceipt(exchange))
    case 'wording':
      if (fault.accepted) await forward()
      return answer({ error: { code: -32000, message: wordings[fault.wording][fault.node] } })
    case 'swallowed':
      return answer({ result: keccak256(call.params[0] as Hex) })
    case 'unlisted logs':
      return answer({ result: [] })
    case 'few logs': {
      const { fromBlock, toBlock } = Object(call.params?.[0]) as { fromBlock?: Hex; toBlock?: Hex }
      const isWide = Number(toBlock) - Number(fromBlock) >= fault.most
      const refusal = { code: -32_005, message: `query exceeds max block range ${fault.most}` }
      return answer(isWide ? { error: refusal } : await forward())
    }
    case 'no status':
      return answer(withoutStatus(await forward()))
    case 'bare refusal': {
      const reply = await forward()
      const error = reply.error && { ...reply.error, code: -32_015, message: 'VM execution error.' }
      return answer(error ? { error } : reply)
    }
  }
}

function withoutLogs(body: Record<string, unknown>): Record<string, unknown> {
  const { result } = body as { result: object | null }
  return { ...body, result: result && { ...result, logs: [] } }
}

function withoutStatus(body: Record<string, unknown>): Record<string, unknown> {
  const { result } = body as { result: object | null }
  return { ...body, result: result && { ...result, status: undefined } }
}

/** The receipt of the transaction that was mined last. */
async function foreignReceipt({ forward }: Exchange): Promise<Record<string, unknown>> {
  for (let back = 0; back < 8; back++) {
    const { result: head } = (await forward({ method: 'eth_blockNumber', params: [] })) as { result: Hex }
    const height = `0x${Math.max(0, Number(head) - back).toString(16)}`
    const { result: block } = (await forward({
      method: 'eth_getBlockByNumber',
      params: [height, false],
    })) as {
      result: { transactions: Hex[] } | null
    }
    const hash = block?.transactions.at(-1)
    if (hash) return forward({ method: 'eth_getTransactionReceipt', params: [hash] })
  }
  return { result: null }
}
