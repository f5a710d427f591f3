import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet, projectToken } from '../../../server/money/chain/generated/contracts.ts'
import type { Random } from '../../support/random.ts'
import type { Environment } from '../support/environment.ts'
import { approveData } from '../support/fixture.ts'
import type { Fault } from './plan.ts'
import { isBusy, waitForTarget } from './targets.ts'
import { expireAll, relayFromOutside } from './withdrawing.ts'

/** Whether a fault has met a target so far. */
export type Met = () => boolean

/** Injects a fault as soon as it has a target, at the latest after `patienceMs`. Resolves when the fault is over. */
export async function inject(
  environment: Environment,
  fault: Fault,
  random: Random,
  patienceMs?: number,
): Promise<Met> {
  const { postgres } = environment
  const hasTarget = await waitForTarget(environment, fault, patienceMs)
  const always = (met: boolean) => () => met
  switch (fault.what) {
    case 'rpc': {
      const share = fault.share < 1 ? () => random.chance(fault.share) : undefined
      const met = environment.rpc.arm({ ...fault, share })
      return () => met() > 0
    }
    case 'commit cut':
      return postgres.cutAtCommit(fault.when, fault.after)
    case 'github':
      return environment.github.arm(fault.fault, fault.on)
    case 'database cut':
      return always(postgres.cutAll() > 0 && hasTarget)
    case 'database stalled': {
      const met = postgres.stall(fault.ms)
      return () => met() && hasTarget
    }
    case 'database gone':
      return always(postgres.refuse(fault.ms) > 0 && hasTarget)
    case 'killed':
      return always(environment.fleet.kill(fault.slot) && hasTarget)
    case 'clients gone':
      environment.hangUp()
      return always(hasTarget)
    case 'reorganisation':
      await reorganise(environment, fault.depth)
      return always(hasTarget)
    case 'relayed from outside':
      // The service may have been faster.
      return always(await relayFromOutside(environment).catch(() => false))
    case 'signatures expired':
      await expireAll(environment)
      return always(hasTarget)
    case 'mempool dropped':
      await environment.node.dropAll()
      return always(hasTarget)
    default:
      return always((await last(environment, fault)) && hasTarget)
  }
}

/** Injects a fault that lasts. Resolves when it is over, with whether anything was sent meanwhile. */
async function last(environment: Environment, fault: Extract<Fault, { ms: number }>): Promise<boolean> {
  const sends = environment.rpc.sends()
  const begin = async (): Promise<() => Promise<void>> => {
    switch (fault.what) {
      case 'base fee':
        return raiseBaseFee(environment, fault.factor)
      case 'no blocks':
        environment.miner.stall(fault.ms)
        return async () => undefined
      case 'paused':
        await setPaused(environment, true)
        return () => setPaused(environment, false)
      case 'approval revoked':
        await setApproval(environment, 'reserve')
        return () => setApproval(environment, 'everything')
      default:
        return makeReadOnly(environment)
    }
  }
  const end = await begin()
  const isMet = await isBusy(environment, fault)
  await delay(fault.ms)
  await end()
  return isMet || environment.rpc.sends() > sends
}

/** Ends all faults. */
export async function heal(environment: Environment): Promise<void> {
  // The node keeps the states of its last 16 blocks: a slow machine has four seconds for a tick of a lane.
  environment.miner.speed(250)
  environment.fleet.disarm()
  environment.rpc.heal()
  environment.postgres.heal()
  environment.github.heal()
  await environment.node.setBaseFee(1_000_000_000n)
  // A reorganisation may have taken what ended a pause or a revocation.
  await setPaused(environment, false)
  await setApproval(environment, 'everything')
  for (const work of environment.fixture.ruled) await environment.pulls.report(work)
}

async function reorganise({ node, since }: Environment, depth: number): Promise<void> {
  const head = await node.getBlockNumber()
  const possible = Math.min(depth, Number(head - since) - 1)
  if (possible > 0) await node.reorganise(possible)
}

async function raiseBaseFee({ node }: Environment, factor: number): Promise<() => Promise<void>> {
  const { baseFeePerGas } = await node.getBlock()
  const normal = baseFeePerGas ?? 1_000_000_000n
  await node.setBaseFee(normal * BigInt(factor))
  return () => node.setBaseFee(normal)
}

async function makeReadOnly({ databaseName, maintain }: Environment): Promise<() => Promise<void>> {
  const set = async (value: 'on' | 'off') => {
    await maintain(`alter database ${databaseName} set default_transaction_read_only = ${value}`)
    // Sessions keep the setting they began with.
    await maintain(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = '${databaseName}' and application_name <> 'faults'`,
    )
  }
  await set('on')
  return () => set('off')
}

/** Pauses or resumes all payouts on the chain. */
export async function setPaused({ node, fixture }: Environment, paused: boolean): Promise<void> {
  const contract = { abi: platformWallet.abi, address: fixture.platformWallet } as const
  const isSet = async () => (await node.readContract({ ...contract, functionName: 'paused' })) === paused
  const data = encodeFunctionData({ ...contract, functionName: paused ? 'pause' : 'unpause' })
  await node.sendUntil(isSet, privateKeyToAccount(fixture.ownerKey), async () => ({
    to: fixture.platformWallet,
    data,
  }))
}

/** Sets the approval of the second founder, whose larger rewards need more than the reserve: nothing beyond it, or everything there is. */
export async function setApproval(
  { node, fixture }: Environment,
  how: 'reserve' | 'everything',
): Promise<void> {
  const { token, wallet, walletKey } = fixture.projects[1]!
  const contract = { abi: projectToken.abi, address: token } as const
  const read = async () => {
    const [allowance, reserve, balance] = await Promise.all([
      node.readContract({ ...contract, functionName: 'allowance', args: [wallet, fixture.platformWallet] }),
      node.readContract({ ...contract, functionName: 'bountyReserve' }),
      node.readContract({ ...contract, functionName: 'balanceOf', args: [wallet] }),
    ])
    return { allowance, wanted: how === 'reserve' ? reserve : balance }
  }
  const isSet = async () => {
    const { allowance, wanted } = await read()
    return how === 'reserve' ? allowance === wanted : allowance >= wanted
  }
  await node.sendUntil(isSet, privateKeyToAccount(walletKey), async () => ({
    to: token,
    data: approveData(fixture.platformWallet, (await read()).wanted),
  }))
}
