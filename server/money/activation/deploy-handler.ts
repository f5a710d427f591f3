import type { Database } from '../../db/client.ts'
import { errorCatalog } from '../../errors.ts'
import type { Chain } from '../chain/chain.ts'
import { estimateGas } from '../chain/estimate.ts'
import { gasCostOf } from '../chain/gas.ts'
import { type GasLimits, keepsGasForPayouts, keptForPayouts, keysWithGas } from '../gas-budget.ts'
import type { Preparation, ReceiptOutcome, TransactionHandler } from '../transactions/types.ts'
import { findDeployed } from './evidence.ts'
import { failActivation, finishActivation, markActivationStuck, resumeActivation } from './settle.ts'
import { getPredicted, recordProgress } from './store.ts'

/** Percentage that is added to an estimate. */
const gasMarginPercent = 25n

/** The transaction handler of deploys. It decides from the chain alone. */
export function createDeployHandler({
  db,
  chain,
  limits,
}: {
  db: Database
  chain: Chain
  limits: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>
}): TransactionHandler {
  return {
    async prepare(transaction, from, depth): Promise<Preparation> {
      const { entityId: projectId } = transaction
      const found = await findDeployed(chain, await getPredicted(db, projectId), depth)
      if (found.state === 'shallow')
        return { next: 'wait', reason: 'the contracts are deployed already and not confirmed yet' }
      if (found.state === 'there')
        return {
          next: 'refuse',
          reason: 'the contracts are deployed already',
          apply: (trx) => finishActivation(trx, projectId, found.result),
        }
      if (await keepsGasForPayouts(chain.client, from, limits)) {
        const others = await keysWithGas(chain, limits)
        return {
          next: 'refuse',
          reason: keptForPayouts,
          // The addresses depend on the key, so another one deploys to others.
          apply:
            others.length > 0
              ? async (trx) => {
                  await resumeActivation(trx, projectId)
                  return undefined
                }
              : (trx) => failActivation(trx, projectId, unfunded),
        }
      }
      const { to, data } = transaction
      const estimate = await estimateGas(chain, { from, to, data }, depth.head)
      if ('refusal' in estimate)
        return {
          next: 'refuse',
          reason: estimate.refusal,
          apply: (trx) => failActivation(trx, projectId, refused),
        }
      return { next: 'send', gasLimit: estimate.gas + (estimate.gas * gasMarginPercent) / 100n }
    },

    async evaluateReceipt(transaction, receipt, depth): Promise<ReceiptOutcome> {
      const { entityId: projectId } = transaction
      const isSuccess = receipt.status === 'success'
      // A success is deep enough, and a node may have forgotten the state of a block that deep.
      const counted = isSuccess ? depth.head : depth.counted
      const found = await findDeployed(chain, await getPredicted(db, projectId), { ...depth, counted })
      const differs = found.state === 'absent' && isSuccess
      // A node may lag behind, or the chain be reorganised meanwhile.
      if (found.state === 'shallow' || (differs && receipt.blockNumber > depth.final)) return { kind: 'wait' }
      if (differs) return { kind: 'anomaly', problem: projectDiffers }
      const cost = gasCostOf(receipt)
      return {
        kind: 'final',
        async apply(trx) {
          const problem =
            found.state === 'there'
              ? await finishActivation(trx, projectId, found.result)
              : await failActivation(trx, projectId, refused)
          if (cost !== undefined) await recordProgress(trx, projectId, { gas_reserved_wei: cost.toString() })
          return problem
        },
      }
    },

    markStuck: markActivationStuck,
    requeue: resumeActivation,
  }
}

/** The founder learns of it at once, in place of an activation that waits for an operator. */
const unfunded = {
  code: 'activations_unavailable' as const,
  message: errorCatalog.activations_unavailable.meaning,
}

const projectDiffers = 'the deploy succeeded without exactly the project it should have made'

const refused = {
  code: 'deployment_failed' as const,
  message: 'The chain refused the deployment; the project is proposed again. Activate again later.',
}
