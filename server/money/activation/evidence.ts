import type { Chain } from '../chain/chain.ts'
import { hasCode } from '../chain/deploy/on-chain.ts'
import type { Depth } from '../chain/finality.ts'
import { projectToken } from '../chain/generated/contracts.ts'
import type { ActivationResult, Predicted } from './store.ts'

/** Whether a project's contracts are on the chain: not at all, in a block that does not count yet, or confirmed. */
type Deployed = { state: 'absent' } | { state: 'shallow' } | { state: 'there'; result: ActivationResult }

/**
 * Reads the contracts at a project's predicted addresses at the head and at the newest block that counts. The addresses follow
 * from project and operator key, so what is there is the project: nobody else can make it there, and nobody twice.
 */
export async function findDeployed(
  chain: Chain,
  predicted: Predicted | null,
  { head, counted }: Depth,
): Promise<Deployed> {
  if (!predicted) return { state: 'absent' }
  const { token, curve } = predicted
  const isThereAt = (block: number) => hasCode(chain.client, token, BigInt(block))
  if (!(await isThereAt(head))) return { state: 'absent' }
  if (counted < head && !(await isThereAt(Math.max(0, counted)))) return { state: 'shallow' }
  // The founder that it was made for, even where the database has fallen back to another wallet.
  const founderWallet = await chain.client.readContract({
    abi: projectToken.abi,
    address: token,
    functionName: 'founder',
    blockNumber: BigInt(head),
  })
  return { state: 'there', result: { founderWallet, token, curve } }
}
