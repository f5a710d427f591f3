import { type RpcCall, startRpcServer } from './rpc-server.ts'

/** Replaces the result of a call, or the error in its place, as a faulty node would. */
export type AlterResult = (call: RpcCall, result: unknown) => unknown

/** Why a node refuses a call; undefined for calls that it answers. */
export type Refuse = (call: RpcCall) => string | undefined

/** The responses that a proxy holds back. */
export interface HeldResponses {
  count(): number
  /** Sends them, and all later ones without delay. */
  release(): void
}

/** A proxy in front of a JSON-RPC node that can simulate failures of the node. */
export interface RpcProxy {
  url: string
  /** From now on connections break, as if the node had ended. */
  disconnect(): void
  /** From now on requests are accepted and get no response. */
  stopResponding(): void
  /** Forwards requests again. */
  restore(): void
  /** From now on `change` replaces results; without it they are the node's own again. */
  alter(change?: AlterResult): void
  /** From now on calls are refused for which `refuse` has a reason; without it none. */
  refuse(refuse?: Refuse): void
  /** From now on responses of the node are held back, unchanged, until they are released. */
  hold(): HeldResponses
  close(): Promise<void>
}

/** Starts a proxy that forwards requests to `target`. */
export async function createRpcProxy(target: string): Promise<RpcProxy> {
  let state: 'forwarding' | 'disconnected' | 'silent' = 'forwarding'
  let alter: AlterResult | undefined
  let refuse: Refuse | undefined
  let released: Promise<void> | undefined
  let held = 0
  const server = await startRpcServer(async ({ call, answer, hangUp, forwardTo }) => {
    if (state === 'disconnected') return hangUp()
    if (state === 'silent') return
    const message = refuse?.(call)
    if (message) return answer({ error: { code: -32_602, message } })
    const reply = await forwardTo(target)
    held++
    await released
    const result = alter?.(call, reply.result)
    answer(alter && result !== reply.result ? { result } : reply)
  })
  return {
    ...server,
    disconnect() {
      state = 'disconnected'
    },
    stopResponding() {
      state = 'silent'
    },
    restore() {
      state = 'forwarding'
    },
    alter(change) {
      alter = change
    },
    refuse(when) {
      refuse = when
    },
    hold() {
      held = 0
      let release = (): void => undefined
      released = new Promise((resolve) => {
        release = resolve
      })
      return { count: () => held, release }
    },
  }
}
