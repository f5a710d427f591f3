import type { Logger } from 'pino'
import { type Address, encodeFunctionData } from 'viem'
import { lastingFailures, RepositoryError } from '../../code/host/error.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { type ErrorCode, errorCatalog } from '../../errors.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { chainAddress } from '../chain/address.ts'
import type { Chain } from '../chain/chain.ts'
import { hasCode } from '../chain/deploy/on-chain.ts'
import { type Depth, depthBelow, type Finality } from '../chain/finality.ts'
import { projectFactory } from '../chain/generated/contracts.ts'
import { projectKeyOf } from '../chain/on-chain-ids.ts'
import { toBaseUnits } from '../chain/units.ts'
import { exceedsGasBudget, type GasLimits, keysWithGas, readGasPrice } from '../gas-budget.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import { findDeployed } from './evidence.ts'
import { failActivation, finishActivation } from './settle.ts'
import { type Activation, type Predicted, recordProgress, underActivationLease } from './store.ts'

/** Most gas of a deployment: that of the longest name takes about 900,000. */
const gasCeiling = 1_000_000n

/** What the steps of an activation need. */
export interface AdvanceContext {
  db: Database
  chain: Chain
  repositories: Repositories | null
  finality: Finality
  limits: GasLimits & Pick<Config, 'ACTIVATION_GAS_ETH_PER_DAY'>
  log: Logger
}

/** The next step cannot be taken yet; the activation is taken up again. */
export class TooEarlyError extends Error {
  override readonly name = 'TooEarlyError'
}

/**
 * Takes a leased activation through its steps: reserved gas, repository, predicted addresses, queued deploy. Each step stores its
 * result before the next begins, and adopts the result of an earlier run.
 * @throws LeaseLostError, the node's error, or a RepositoryError with `retryAfter`; the activation is then taken up again.
 */
export async function advance(context: AdvanceContext, activation: Activation): Promise<void> {
  const earlier = activation.predicted
  // Before the gas, because what is deployed costs none.
  if (earlier && (await adopt(context, activation, earlier))) return
  if (!(await reserveGas(context, activation))) return
  const repoUrl = activation.repo_url ?? (await ensureRepository(context, activation))
  if (repoUrl === undefined) return
  const predicted = await predict(context, activation)
  if (predicted !== earlier && (await adopt(context, activation, predicted))) return
  await queueDeploy(context, activation, predicted)
}

/**
 * Finishes the activation if its contracts are deployed.
 * @throws TooEarlyError while an earlier deploy is unresolved: until then no other key may be chosen or deploy be queued
 */
async function adopt(
  { chain, db, finality }: AdvanceContext,
  activation: Activation,
  predicted: Predicted,
): Promise<boolean> {
  if (await hasLiveTransaction(db, 'deploy', activation.project_id))
    throw new TooEarlyError('an earlier deploy of this project is unresolved')
  const found = await findDeployed(chain, predicted, await depthNow(chain, finality))
  if (found.state === 'shallow') throw new TooEarlyError('the contracts are deployed and not confirmed yet')
  if (found.state === 'absent') return false
  await underActivationLease(db, activation, (trx) =>
    finishActivation(trx, activation.project_id, found.result),
  )
  return true
}

async function depthNow({ client }: Chain, finality: Finality): Promise<Depth> {
  return depthBelow(client, Number(await client.getBlockNumber()), finality)
}

/** Reserves the gas of the deployment. If that exceeds the budget or the keys keep theirs for payouts, the activation fails. */
async function reserveGas({ db, chain, limits }: AdvanceContext, activation: Activation): Promise<boolean> {
  const { project_id: projectId } = activation
  const { mostWei, isKept } = await readGasPrice(chain, gasCeiling, limits)
  const code = 'activations_unavailable'
  return underActivationLease(db, activation, async (trx) => {
    await recordProgress(trx, projectId, { gas_reserved_wei: mostWei.toString() })
    const isRefused =
      isKept || (await exceedsGasBudget(trx, 'activations', 0n, limits.ACTIVATION_GAS_ETH_PER_DAY))
    if (isRefused) await failActivation(trx, projectId, { code, message: errorCatalog[code].meaning })
    return !isRefused
  })
}

async function ensureRepository(
  context: AdvanceContext,
  activation: Activation,
): Promise<string | undefined> {
  const { db, repositories, log } = context
  const { project_id: projectId } = activation
  const fail = async (code: ErrorCode, message: string = errorCatalog[code].meaning) => {
    await underActivationLease(db, activation, (trx) => failActivation(trx, projectId, { code, message }))
    return undefined
  }
  if (!repositories)
    return fail('repositories_not_configured', 'The operator has not configured a code host.')
  try {
    const found = await findRepository(repositories, activation)
    if ('refusal' in found) return await fail(found.refusal, found.message)
    emitStep('repository created', projectId)
    await underActivationLease(db, activation, (trx) =>
      recordProgress(trx, projectId, { repo_url: found.url, repository_id: found.id }),
    )
    emitStep('repository recorded', projectId)
    return found.url
  } catch (error) {
    if (violatedConstraint(error) === 'activations_of_repository') return fail('repository_taken')
    const isLimited = error instanceof RepositoryError && error.retryAfter !== undefined
    if (!(error instanceof RepositoryError) || isLimited) throw error
    log.warn(
      { entityId: projectId, kind: error.kind },
      'a repository could not be created or read: the activation fails and can be repeated',
    )
    const failure = lastingFailures[error.kind]
    return failure
      ? fail(failure.code, failure.message)
      : fail('repository_failed', `${error.message} The project is proposed again; activate again later.`)
  }
}

type Found = { url: string; id: number } | { refusal: ErrorCode; message?: string }

/** The repository that the organization makes, or the one that the founder brings, if nothing is missing there. */
async function findRepository(repositories: Repositories, activation: Activation): Promise<Found> {
  const { project_id: id, name, description, wanted_repository: wanted } = activation
  if (wanted === null) return repositories.ensure({ id, name, description })
  if (!repositories.takesOwn) return { refusal: 'own_repositories_unavailable' }
  const [owner = '', repository = ''] = wanted.split('/')
  const found = await repositories.lookAt({ owner, repository }, id)
  if (found.id !== undefined && found.missing.length === 0)
    return { url: `${repositories.url}/${found.fullName}`, id: found.id }
  const message = `The repository ${wanted} cannot be the project's yet: ${found.missing.join(', ')}. GET /api/projects/${id}/repository says how that is mended.`
  return { refusal: 'repository_not_ready', message }
}

/** Predicts the addresses, which depend on the deploying key. */
async function predict(context: AdvanceContext, activation: Activation): Promise<Predicted> {
  const { db, chain } = context
  const deployer = await chooseKey(context, activation)
  if (activation.predicted?.deployer === deployer) return activation.predicted
  const key = projectKeyOf(activation.project_id)
  const predicted = { deployer, ...(await chain.predictProject(deployer, key)) }
  await underActivationLease(db, activation, (trx) =>
    recordProgress(trx, activation.project_id, {
      deployer,
      token_address: predicted.token,
      curve_address: predicted.curve,
    }),
  )
  return predicted
}

/**
 * The key that deploys: the one that was chosen before or that the id of the project names, also after the database has fallen back. Only
 * where that one cannot pay the gas, and has deployed nothing and sends nothing, it is another one.
 */
async function chooseKey(
  { chain, limits }: AdvanceContext,
  { project_id, predicted }: Activation,
): Promise<Address> {
  const key = projectKeyOf(project_id)
  const pick = (keys: Address[]) => keys[Number(BigInt(key) % BigInt(keys.length))]
  const keys = chain.operators.map(({ address }) => address)
  const usual = predicted && keys.includes(predicted.deployer) ? predicted.deployer : pick(keys)
  if (!usual) throw new Error('there is no operator key')
  const able = await keysWithGas(chain, limits)
  if (able.includes(usual)) return usual
  const { token } = await chain.predictProject(usual, key)
  const [isThere, sent, mined] = await Promise.all([
    hasCode(chain.client, token),
    chain.client.getTransactionCount({ address: usual, blockTag: 'pending' }),
    chain.client.getTransactionCount({ address: usual, blockTag: 'latest' }),
  ])
  return isThere || sent > mined ? usual : (pick(able) ?? usual)
}

async function queueDeploy(
  context: AdvanceContext,
  activation: Activation,
  predicted: Predicted,
): Promise<void> {
  const { db, chain } = context
  const data = encodeFunctionData({
    abi: projectFactory.abi,
    functionName: 'create',
    args: [
      projectKeyOf(activation.project_id),
      activation.name,
      activation.token_symbol,
      toBaseUnits(activation.token_supply),
      chainAddress(activation.founder_wallet),
    ],
  })
  await underActivationLease(db, activation, async (trx) => {
    const transactionId = await enqueueTransaction(trx, {
      chainId: chain.id,
      purpose: 'deploy',
      entityId: activation.project_id,
      to: chain.projectFactory,
      data,
      from: predicted.deployer,
    })
    await recordProgress(trx, activation.project_id, { transaction_id: transactionId })
  })
  emitStep('deploy queued', activation.project_id)
}
