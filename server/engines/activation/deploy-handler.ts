import type { Chain } from '../../chain/chain.ts'
import type { Depth } from '../../chain/finality.ts'
import { isRevert, nodeErrorText } from '../../chain/rpc-errors.ts'
import type { Database } from '../../db/client.ts'
import type { Preparation, ReceiptOutcome, TransactionHandler } from '../transactions/types.ts'
import { type Deployed, findDeployed, readDeploy } from './evidence.ts'
import { failActivation, finishActivation, markActivationStuck, resumeActivation } from './settle.ts'
import { type Activation, getActivation } from './store.ts'

/** Percentage that is added to an estimate. */
const gasMarginPercent = 25n

/** The transaction handler of deploys. It decides from the chain alone. */
export function createDeployHandler({ db, chain }: { db: Database; chain: Chain }): TransactionHandler {
  async function deployed(activation: Activation, depth: Depth): Promise<Deployed> {
    return activation.predicted ? findDeployed(chain, activation.predicted, depth) : { state: 'absent' }
  }

  return {
    async prepare(transaction, from, depth): Promise<Preparation> {
      const activation = await getActivation(db, transaction.entityId)
      const { projectId } = activation
      const found = await deployed(activation, depth)
      if (found.state === 'shallow')
        return { next: 'wait', reason: 'the contracts are deployed already and not confirmed yet' }
      if (found.state === 'there')
        return {
          next: 'refuse',
          reason: 'the contracts are deployed already',
          apply: (trx) => finishActivation(trx, projectId, found.result),
        }
      try {
        const { to, data } = transaction
        const blockNumber = BigInt(depth.head)
        const estimate = await chain.client.estimateGas({ account: from, to, data, blockNumber })
        return { next: 'send', gasLimit: estimate + (estimate * gasMarginPercent) / 100n }
      } catch (error) {
        if (!isRevert(error)) throw error
        return {
          next: 'refuse',
          reason: nodeErrorText(error),
          apply: (trx) => failActivation(trx, projectId, refused),
        }
      }
    },

    async evaluateReceipt(transaction, receipt, depth): Promise<ReceiptOutcome> {
      const activation = await getActivation(db, transaction.entityId)
      const { projectId } = activation
      if (receipt.status === 'success') {
        const made = readDeploy(chain, activation, receipt.from, receipt.logs)
        return made
          ? { verdict: 'final', apply: (trx) => finishActivation(trx, projectId, made) }
          : {
              verdict: 'anomaly',
              why: 'the deploy succeeded without exactly the project it should have made',
            }
      }
      const found = await deployed(activation, depth)
      if (found.state === 'shallow') return { verdict: 'wait' }
      if (found.state === 'there')
        return { verdict: 'final', apply: (trx) => finishActivation(trx, projectId, found.result) }
      return {
        verdict: 'final',
        apply: (trx) => failActivation(trx, projectId, refused),
      }
    },

    stuck: markActivationStuck,
    unpin: resumeActivation,
  }
}

const refused = {
  code: 'deployment_failed' as const,
  message: 'The chain refused the deployment; the project is proposed again. Activate again later.',
}
