import type { Chain } from '../../money/chain/chain.ts'
import {
  bondingCurve,
  contractErrors,
  platformWallet,
  projectFactory,
  projectToken,
} from '../../money/chain/generated/contracts.ts'

/**
 * `/contracts.json`: the ABIs of the contracts, and their addresses as soon as the chain is connected. Each project has a token and a
 * curve of its own, which run the code at `implementation`.
 */
export function contractsDocument(chain: Chain | null): string {
  return JSON.stringify({
    chain_id: chain?.id ?? null,
    contracts: {
      project_token: { implementation: chain?.tokenImplementation ?? null, abi: projectToken.abi },
      bonding_curve: { implementation: chain?.curveImplementation ?? null, abi: bondingCurve.abi },
      platform_wallet: { address: chain?.platformWallet ?? null, abi: platformWallet.abi },
      project_factory: { address: chain?.projectFactory ?? null, abi: projectFactory.abi },
    },
    // A call can revert with an error of a contract further in.
    errors: contractErrors,
  })
}
