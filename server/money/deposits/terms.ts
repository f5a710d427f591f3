import { type Address, getAddress, type Hex } from 'viem'
import { chainAddress } from '../chain/address.ts'
import { type DepositOf, depositMessage, depositNonce, typedData } from '../chain/authorizations.ts'
import type { Chain } from '../chain/chain.ts'
import type { Dollar } from '../chain/dollar.ts'
import { payoutIdOf } from '../chain/on-chain-ids.ts'

/** What the signature of a deposit is for. */
export function depositOf(chain: Chain, bountyId: string, projectToken: string): DepositOf & { nonce: Hex } {
  const of = { payoutId: payoutIdOf(chain.id, bountyId), projectToken: chainAddress(projectToken) }
  return { ...of, nonce: depositNonce(of) }
}

/** What a wallet of the founder's own signs, as JSON for `eth_signTypedData_v4`. */
export function typedDataOf(
  { chain, dollar }: { chain: Chain; dollar: Dollar },
  terms: { wallet: string; amount: bigint; nonce: Hex; validBefore: number },
) {
  const domain = { chainId: chain.id, token: dollar.address, tokenName: dollar.name, version: dollar.version }
  const wallet = getAddress(terms.wallet) as Address
  const signed = depositMessage({ ...terms, wallet, recipient: chain.platformWallet })
  const data = typedData(domain, 'ReceiveWithAuthorization', signed)
  const { value, validAfter, validBefore } = signed
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      ReceiveWithAuthorization: [...data.types.ReceiveWithAuthorization],
    },
    primaryType: data.primaryType as 'ReceiveWithAuthorization',
    domain: data.domain,
    message: {
      ...signed,
      value: String(value),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
    },
  }
}
