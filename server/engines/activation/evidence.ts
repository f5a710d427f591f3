import { type Address, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { hasCode } from '../../chain/deploy/on-chain.ts'
import type { Depth } from '../../chain/finality.ts'
import { projectFactory, projectToken } from '../../chain/generated/contracts.ts'
import { projectKeyOf, toBaseUnits } from '../../chain/units.ts'
import type { Activation, ActivationResult } from './store.ts'

/** Whether a project's contracts are on the chain: not at all, in a block that does not count yet, or confirmed. */
export type Deployed =
  | { state: 'absent' }
  | { state: 'shallow' }
  | { state: 'there'; result: ActivationResult }

/** Reads the contracts at a project's predicted addresses at the head and at the newest block that counts. */
export async function findDeployed(
  chain: Chain,
  predicted: { token: Address; curve: Address },
  { head, counted }: Depth,
): Promise<Deployed> {
  const { token, curve } = predicted
  const isThereAt = (block: number) => hasCode(chain.client, token, BigInt(block))
  if (!(await isThereAt(head))) return { state: 'absent' }
  if (counted < head && !(await isThereAt(Math.max(0, counted)))) return { state: 'shallow' }
  const founderWallet = await chain.client.readContract({
    abi: projectToken.abi,
    address: token,
    functionName: 'founder',
    blockNumber: BigInt(head),
  })
  return { state: 'there', result: { founderWallet, token, curve } }
}

/** The contracts of a successful deploy if its only `ProjectCreated` event is exactly this project, else undefined. */
export function readDeploy(
  chain: Chain,
  activation: Activation,
  sender: Address,
  logs: Log[],
): ActivationResult | undefined {
  const ofFactory = logs.filter((log) => isAddressEqual(log.address, chain.projectFactory))
  const created = parseEventLogs({ abi: projectFactory.abi, eventName: 'ProjectCreated', logs: ofFactory })
  const args = created[0]?.args
  const predicted = activation.predicted
  const exact =
    created.length === 1 &&
    args !== undefined &&
    predicted !== null &&
    args.projectKey === (projectKeyOf(activation.projectId) as Hex) &&
    isAddressEqual(args.creator, sender) &&
    isAddressEqual(args.token, predicted.token) &&
    isAddressEqual(args.curve, predicted.curve) &&
    args.supply === toBaseUnits(activation.tokenSupply)
  return exact ? { founderWallet: args.founder, token: args.token, curve: args.curve } : undefined
}
