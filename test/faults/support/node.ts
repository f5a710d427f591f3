import { setTimeout as delay } from 'node:timers/promises'
import {
  type Account,
  type Address,
  createTestClient,
  type Hex,
  http,
  publicActions,
  walletActions,
} from 'viem'
import { foundry } from 'viem/chains'

/** The test's own way to the node, past all faults: reads, anvil's methods and sending. */
export type Node = ReturnType<typeof connectNode>

export function connectNode(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 20_000 })
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const ask = (method: string, params: unknown[]) =>
    client.request({ method, params } as unknown as Parameters<typeof client.request>[0])
  let reorganisations = 0
  return Object.assign(client, {
    /** Replaces the newest blocks with empty ones; what was in them is in no mempool. */
    reorganise(depth: number) {
      reorganisations++
      return ask('anvil_reorg', [depth, []])
    },
    /** How often that has happened. */
    reorganisations: () => reorganisations,
    setBaseFee: (wei: bigint) => ask('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`]),
    dropAll: () => ask('anvil_dropAllTransactions', []),
    /** Sends and waits until it is mined; whoever mines. */
    async sendAndWait(account: Account, call: { to: Address; data?: Hex; value?: bigint; nonce?: number }) {
      const hash = await client.sendTransaction({ account, gas: 500_000n, ...call })
      return client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    },
    /** Sends until `isDone`, whatever becomes of the single transaction; fees are no object. */
    async sendUntil(
      isDone: () => Promise<boolean>,
      account: Account,
      makeCall: () => Promise<{ to: Address; data: Hex }>,
    ): Promise<void> {
      for (let look = 0; !(await isDone()); look++) {
        const isTime = look % 20 === 0
        const fees = {
          maxFeePerGas: 10n ** 12n + BigInt(look) * 10n ** 11n,
          maxPriorityFeePerGas: 10n ** 9n + BigInt(look) * 10n ** 8n,
        }
        // At the mined nonce: an earlier one that is still waiting is replaced.
        if (isTime) {
          const call = await makeCall()
          const nonce = await client.getTransactionCount({ address: account.address })
          await client
            .sendTransaction({ account, gas: 500_000n, nonce, ...fees, ...call })
            .catch(() => undefined)
        }
        await delay(25)
      }
    },
  })
}
