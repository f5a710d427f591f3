import { type Address, encodeFunctionData, type Hex, type PrivateKeyAccount, parseSignature } from 'viem'
import { projectToken } from '../../../../server/money/chain/generated/contracts.ts'
import type { TestChain } from '../../../support/chain.ts'

/** The key of a wallet cancels the authorization with this nonce at the coin or token of `domain`; anybody sends it. */
export async function cancelAuthorization(
  chain: Pick<TestChain, 'send' | 'fundedAccount'>,
  owner: PrivateKeyAccount,
  domain: { name: string; version: string; chainId: number; verifyingContract: Address },
  nonce: Hex,
): Promise<void> {
  const signature = await owner.signTypedData({
    domain,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: owner.address, nonce },
  })
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'cancelAuthorization',
    args: [owner.address, nonce, yParity + 27, r, s],
  })
  await chain.send(await chain.fundedAccount(), { to: domain.verifyingContract, data })
}
