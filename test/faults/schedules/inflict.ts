import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet, projectToken } from '../../../server/chain/generated/contracts.ts'
import { approveData } from '../support/ground.ts'
import type { Random } from '../support/random.ts'
import type { Stage } from '../support/stage.ts'
import type { Fault } from './plan.ts'

/** Makes one thing go wrong; resolves when it is over, where it lasts. */
export async function inflict(stage: Stage, fault: Fault, random: Random): Promise<void> {
  const { node, postgres, rpc } = stage
  switch (fault.what) {
    case 'rpc':
      return rpc.arm({ ...fault, share: fault.share < 1 ? () => random.chance(fault.share) : undefined })
    case 'commit cut':
      return postgres.cutAtCommit(fault.when, fault.after)
    case 'database cut':
      return postgres.cutAll()
    case 'database stalled':
      return postgres.stall(fault.ms)
    case 'database gone':
      return postgres.refuse(fault.ms)
    case 'database read-only':
      return makeReadOnly(stage, fault.ms)
    case 'reorganisation':
      return reorganise(stage, fault.depth)
    case 'mempool dropped':
      await node.dropAll()
      return
    case 'base fee':
      return raiseBaseFee(stage, fault.factor, fault.ms)
    case 'no blocks':
      return stage.miner.stall(fault.ms)
    case 'paused':
      await setPaused(stage, true)
      await delay(fault.ms)
      return setPaused(stage, false)
    case 'approval revoked':
      await setApproval(stage, 'reserve')
      await delay(fault.ms)
      return setApproval(stage, 'everything')
    case 'github':
      return stage.github.arm(fault.fault, fault.on)
    case 'killed':
      return stage.fleet.kill(fault.berth)
    case 'clients gone':
      return stage.hangUp()
  }
}

/** Ends everything that may still be wrong. */
export async function heal(stage: Stage): Promise<void> {
  stage.miner.speed(100)
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

async function raiseBaseFee({ node }: Stage, factor: number, ms: number): Promise<void> {
  const { baseFeePerGas } = await node.getBlock()
  const normal = baseFeePerGas ?? 1_000_000_000n
  await node.setBaseFee(normal * BigInt(factor))
  await delay(ms)
  await node.setBaseFee(normal)
}

async function makeReadOnly({ databaseName, maintain }: Stage, ms: number): Promise<void> {
  const set = async (value: 'on' | 'off') => {
    await maintain(`alter database ${databaseName} set default_transaction_read_only = ${value}`)
    // Sessions keep the setting they began with.
    await maintain(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = '${databaseName}' and application_name <> 'faults'`,
    )
  }
  await set('on')
  await delay(ms)
  await set('off')
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
