import type { Logger } from 'pino'
import { formatEther } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { readGasBalances } from '../chain/gas.ts'
import { nodeErrorText } from '../chain/rpc-errors.ts'
import type { Config } from '../config/config.ts'

const everyMs = 300_000

/** Warns in the log, now and every five minutes, while an operator key can pay the gas of few payouts. Returns its end. */
export function watchGas(chain: Chain, config: Pick<Config, 'LOW_GAS_PAYOUTS'>, log: Logger): () => void {
  async function look(): Promise<void> {
    try {
      for (const { address, balance, payouts } of await readGasBalances(chain))
        if (payouts < config.LOW_GAS_PAYOUTS)
          log.warn(
            { lane: address.toLowerCase(), balance_ether: formatEther(balance), payouts },
            'LOW GAS: send ether to this operator key',
          )
    } catch (error) {
      log.warn({ reason: nodeErrorText(error) }, 'could not look at the gas balance')
    }
  }
  void look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
