import type { Logger } from 'pino'
import { formatEther } from 'viem'
import type { Config } from '../config/config.ts'
import { nodeErrorText } from '../config/node-error-text.ts'
import type { Chain } from '../money/chain/chain.ts'
import { readGasBalances } from '../money/chain/gas.ts'

const everyMs = 300_000

/** Warns now and every five minutes while an operator key can fund only few payouts. Returns a function that ends this. */
export function watchGasBalances(
  chain: Chain,
  config: Pick<Config, 'LOW_GAS_PAYOUTS'>,
  log: Logger,
): () => void {
  async function check(): Promise<void> {
    try {
      for (const { address, balance, payouts } of await readGasBalances(chain))
        if (payouts < config.LOW_GAS_PAYOUTS)
          log.warn(
            { lane: address.toLowerCase(), balance_ether: formatEther(balance), payouts },
            'LOW GAS: send ether to this operator key',
          )
    } catch (error) {
      log.warn(
        { reason: nodeErrorText(error) },
        'the gas balance could not be read; it is read again in five minutes',
      )
    }
  }
  void check()
  const timer = setInterval(check, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
