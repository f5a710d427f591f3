import type { FastifyInstance } from 'fastify'
import type { Chain } from '../../chain/chain.ts'
import type { ChainConnection } from '../../chain/connection.ts'
import {
  bondingCurve,
  contractErrors,
  platformWallet,
  projectFactory,
  projectToken,
} from '../../chain/generated/contracts.ts'
import { compressedText } from '../cache/compression.ts'
import { jsonType } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'

/** `GET /contracts.json`: the ABIs of the contracts, and their addresses as soon as the chain is connected. */
export function serveContracts(
  app: FastifyInstance,
  { chain, limit }: { chain: Pick<ChainConnection, 'chain'>; limit: Limit },
): void {
  const page = (known: Chain | null) => ({ known, send: compressedText(jsonType, contractsDocument(known)) })
  let current = page(chain.chain)
  app.get('/contracts.json', { onRequest: limit }, (request, reply) => {
    if (current.known !== chain.chain) current = page(chain.chain)
    return current.send(request, reply)
  })
}

/** Each project has a token and a curve of its own, which run the code at `implementation`. */
function contractsDocument(chain: Chain | null): string {
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
