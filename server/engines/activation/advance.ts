import type { Logger } from 'pino'
import { encodeFunctionData } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { type Depth, depthBelow, type Finality } from '../../chain/finality.ts'
import { projectFactory } from '../../chain/generated/contracts.ts'
import { projectKeyOf, toBaseUnits } from '../../chain/units.ts'
import type { Database } from '../../db/client.ts'
import { RepositoryError } from '../../repositories/error.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import { emitStep } from '../events.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import { findDeployed } from './evidence.ts'
import { failActivation, finishActivation } from './settle.ts'
import { type Activation, recordProgress, underClaim } from './store.ts'

/** What the steps of an activation need. */
export interface AdvanceContext {
  db: Database
  chain: Chain
  repositories: Repositories | null
  finality: Finality
  log: Logger
}

/** The next step cannot be taken yet; the activation is taken up again. */
export class TooEarlyError extends Error {
  override readonly name = 'TooEarlyError'
}

/**
 * Takes a claimed activation through its steps: repository, predicted addresses, queued deploy. Each step stores its
 * result before the next begins, and adopts the result of an earlier run.
 * @throws LeaseLostError, or the node's error; the activation is then taken up again.
 */
export async function advance(context: AdvanceContext, activation: Activation): Promise<void> {
  const repoUrl = activation.repoUrl ?? (await ensureRepository(context, activation))
  if (repoUrl === undefined) return
  const { chain, db, finality } = context
  // An earlier deploy must be resolved before another key is chosen or another deploy is queued.
  if (await hasLiveTransaction(db, 'deploy', activation.projectId))
    throw new TooEarlyError('an earlier deploy of this project is unresolved')
  const depth = await depthBelow(chain.client, Number(await chain.client.getBlockNumber()), finality)
  const predicted = await predict(context, activation, depth)
  const found = await findDeployed(chain, predicted, depth)
  if (found.state === 'shallow') throw new TooEarlyError('the contracts are deployed and not confirmed yet')
  if (found.state === 'there') {
    await underClaim(db, activation, (trx) => finishActivation(trx, activation.projectId, found.result))
    return
  }
  await queueDeploy(context, activation, predicted)
}

async function ensureRepository(
  context: AdvanceContext,
  activation: Activation,
): Promise<string | undefined> {
  const { db, repositories, log } = context
  const fail = (code: 'repositories_not_configured' | 'repository_failed', message: string) =>
    underClaim(db, activation, (trx) => failActivation(trx, activation.projectId, { code, message }))
  if (!repositories) {
    await fail('repositories_not_configured', 'The operator has not configured a code host.')
    return undefined
  }
  try {
    const { url, id } = await repositories.ensure({
      id: activation.projectId,
      name: activation.name,
      description: activation.description,
    })
    emitStep('repository created', activation.projectId)
    await underClaim(db, activation, (trx) =>
      recordProgress(trx, activation.projectId, { repo_url: url, repository_id: id }),
    )
    emitStep('repository recorded', activation.projectId)
    return url
  } catch (error) {
    if (!(error instanceof RepositoryError)) throw error
    log.warn(
      { entityId: activation.projectId, kind: error.kind },
      'a repository could not be created: the activation fails and can be repeated',
    )
    await fail('repository_failed', `${error.message} The project is proposed again; activate again later.`)
    return undefined
  }
}

/** Predicts the addresses, which depend on the deploying key. The key is chosen once and kept while it is one of ours. */
async function predict(context: AdvanceContext, activation: Activation, depth: Depth) {
  const { db, chain } = context
  const known = activation.predicted
  if (known) {
    const ours = chain.operators.some((operator) => operator.address === known.deployer)
    if (ours || (await findDeployed(chain, known, depth)).state !== 'absent') return known
  }
  const key = projectKeyOf(activation.projectId)
  const operator = chain.operators[Number(BigInt(key) % BigInt(chain.operators.length))]
  if (!operator) throw new Error('there is no operator key')
  const deployer = operator.address
  const predicted = { deployer, ...(await chain.predictProject(deployer, key)) }
  await underClaim(db, activation, (trx) =>
    recordProgress(trx, activation.projectId, {
      deployer,
      token_address: predicted.token,
      curve_address: predicted.curve,
    }),
  )
  return predicted
}

async function queueDeploy(
  context: AdvanceContext,
  activation: Activation,
  predicted: NonNullable<Activation['predicted']>,
): Promise<void> {
  const { db, chain } = context
  const data = encodeFunctionData({
    abi: projectFactory.abi,
    functionName: 'create',
    args: [
      projectKeyOf(activation.projectId),
      activation.name,
      activation.tokenSymbol,
      toBaseUnits(activation.tokenSupply),
      activation.founderWallet,
    ],
  })
  await underClaim(db, activation, async (trx) => {
    const transactionId = await enqueueTransaction(trx, {
      chainId: chain.id,
      purpose: 'deploy',
      entityId: activation.projectId,
      to: chain.projectFactory,
      data,
      from: predicted.deployer,
    })
    await recordProgress(trx, activation.projectId, { transaction_id: transactionId })
  })
  emitStep('deploy queued', activation.projectId)
}
