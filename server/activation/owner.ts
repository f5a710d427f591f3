import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'
import { isRevert, nodeErrorText } from '../transactions/answers.ts'
import type { Judgement, Preparation, TransactionOwner } from '../transactions/types.ts'
import { findDeployed, readDeploy } from './evidence.ts'
import {
  type Activation,
  type ActivationResult,
  failActivation,
  finishActivation,
  getActivation,
  markActivationStuck,
} from './store.ts'

/** Part of an estimate that is added as room, in percent. */
const gasRoomPercent = 25n

/** Decides, from the chain alone, what becomes of the contracts of a project. */
export function createDeployOwner(options: { db: Database; chain: Chain }): TransactionOwner {
  const { db, chain } = options

  async function deployed(activation: Activation): Promise<ActivationResult | undefined> {
    return activation.predicted ? findDeployed(chain, activation.predicted) : undefined
  }

  return {
    async prepare(transaction, from): Promise<Preparation> {
      const activation = await getActivation(db, transaction.subject)
      const found = await deployed(activation)
      if (found)
        return {
          next: 'refuse',
          reason: 'the contracts are there already',
          apply: (trx) => finishActivation(trx, activation.projectId, found),
        }
      try {
        const { to, data } = transaction
        const estimate = await chain.client.estimateGas({ account: from, to, data })
        return { next: 'send', gasLimit: estimate + (estimate * gasRoomPercent) / 100n }
      } catch (error) {
        if (!isRevert(error)) throw error
        return {
          next: 'refuse',
          reason: nodeErrorText(error),
          apply: (trx) => failActivation(trx, activation.projectId, refused(transaction.id)),
        }
      }
    },

    async judge(transaction, receipt): Promise<Judgement> {
      const activation = await getActivation(db, transaction.subject)
      if (receipt.status === 'success') {
        const made = readDeploy(chain, activation, receipt.from, receipt.logs)
        if (!made) return { anomaly: 'the deploy succeeded without exactly the project it should have made' }
        return { apply: (trx) => finishActivation(trx, activation.projectId, made) }
      }
      const found = await deployed(activation)
      if (found) return { apply: (trx) => finishActivation(trx, activation.projectId, found) }
      return { apply: (trx) => failActivation(trx, activation.projectId, refused(transaction.id)) }
    },

    stuck: markActivationStuck,
  }
}

function refused(transactionId: number) {
  return {
    code: 'deployment_failed' as const,
    message: 'The chain refused the deployment; the project is proposed again. Activate again later.',
    transactionId,
  }
}
