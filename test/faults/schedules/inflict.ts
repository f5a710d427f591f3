import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet, projectToken } from '../../../server/chain/generated/contracts.ts'
import { approveData } from '../support/ground.ts'
import type { Random } from '../support/random.ts'
import type { Stage } from '../support/stage.ts'
import type { Fault } from './plan.ts'
import { isBusy, lieInWait } from './prey.ts'

/** Whether a fault has met something that was on its way, so far. */
export type Met = () => boolean

/**
 * Makes one thing go wrong, as soon as there is something on its way that it can meet, and at the latest after
 * `patienceMs` or a while. Resolves when it is over, where it lasts.
 */
export async function inflict(stage: Stage, fault: Fault, random: Random, patienceMs?: number): Promise<Met> {
  const { postgres } = stage
  const hasPrey = await lieInWait(stage, fault, patienceMs)
  const always = (met: boolean) => () => met
  switch (fault.what) {
    case 'rpc': {
      const share = fault.share < 1 ? () => random.chance(fault.share) : undefined
      const met = stage.rpc.arm({ ...fault, share })
      return () => met() > 0
    }
    case 'commit cut':
      return postgres.cutAtCommit(fault.when, fault.after)
    case 'github':
      return stage.github.arm(fault.fault, fault.on)
    case 'database cut':
      return always(postgres.cutAll() > 0 && hasPrey)
    case 'database stalled': {
      const met = postgres.stall(fault.ms)
      return () => met() && hasPrey
    }
    case 'database gone':
      return always(postgres.refuse(fault.ms) > 0 && hasPrey)
    case 'killed':
      return always(stage.fleet.kill(fault.berth) && hasPrey)
    case 'clients gone':
      stage.hangUp()
      return always(hasPrey)
    case 'reorganisation':
      await reorganise(stage, fault.depth)
      return always(hasPrey)
    case 'mempool dropped':
      await stage.node.dropAll()
      return always(hasPrey)
    default:
      return always((await last(stage, fault)) && hasPrey)
  }
}

/** What lasts; resolves when it is over, with whether anything was on its way meanwhile. */
async function last(stage: Stage, fault: Extract<Fault, { ms: number }>): Promise<boolean> {
  const sends = stage.rpc.sends()
  const begin = async (): Promise<() => Promise<void>> => {
    switch (fault.what) {
      case 'base fee':
        return raiseBaseFee(stage, fault.factor)
      case 'no blocks':
        stage.miner.stall(fault.ms)
        return async () => undefined
      case 'paused':
        await setPaused(stage, true)
        return () => setPaused(stage, false)
      case 'approval revoked':
        await setApproval(stage, 'reserve')
        return () => setApproval(stage, 'everything')
      default:
        return makeReadOnly(stage)
    }
  }
  const end = await begin()
  const isMet = await isBusy(stage, fault)
  await delay(fault.ms)
  await end()
  return isMet || stage.rpc.sends() > sends
}

/** Ends everything that may still be wrong. */
export async function heal(stage: Stage): Promise<void> {
  // The node keeps the states of its last 16 blocks: a slow machine has four seconds for a turn of a lane.
  stage.miner.speed(250)
  stage.fleet.disarm()
  stage.rpc.heal()
  stage.postgres.heal()
  stage.github.heal()
  await stage.node.setBaseFee(1_000_000_000n)
  // A reorganisation may have taken what ended a pause or a revocation.
  await setPaused(stage, false)
  await setApproval(stage, 'everything')
}

async function reorganise({ node, since }: Stage, depth: number): Promise<void> {
  const head = await node.getBlockNumber()
  const possible = Math.min(depth, Number(head - since) - 1)
  if (possible > 0) await node.reorganise(possible)
}

async function raiseBaseFee({ node }: Stage, factor: number): Promise<() => Promise<void>> {
  const { baseFeePerGas } = await node.getBlock()
  const normal = baseFeePerGas ?? 1_000_000_000n
  await node.setBaseFee(normal * BigInt(factor))
  return () => node.setBaseFee(normal)
}

async function makeReadOnly({ databaseName, maintain }: Stage): Promise<() => Promise<void>> {
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
export async function setPaused({ node, ground }: Stage, paused: boolean): Promise<void> {
  const contract = { abi: platformWallet.abi, address: ground.platformWallet } as const
  const isSet = async () => (await node.readContract({ ...contract, functionName: 'paused' })) === paused
  const data = encodeFunctionData({ ...contract, functionName: paused ? 'pause' : 'unpause' })
  await node.sendUntil(isSet, privateKeyToAccount(ground.ownerKey), async () => ({
    to: ground.platformWallet,
    data,
  }))
}

/** Of the second founder, whose larger rewards need more than the reserve: nothing beyond it, or everything there is. */
export async function setApproval({ node, ground }: Stage, how: 'reserve' | 'everything'): Promise<void> {
  const { token, wallet, walletKey } = ground.projects[1]!
  const contract = { abi: projectToken.abi, address: token } as const
  const read = async () => {
    const [allowance, reserve, balance] = await Promise.all([
      node.readContract({ ...contract, functionName: 'allowance', args: [wallet, ground.platformWallet] }),
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
    data: approveData(ground.platformWallet, (await read()).wanted),
  }))
}
