import { type Address, decodeFunctionData, type Hex, parseAbi, parseTransaction } from 'viem'

/** A signature of a managed wallet. Anybody who has seen it can send it to the chain, once. */
export interface Authorization {
  /** The contract that takes it, with the whole call. */
  to: Address
  data: Hex
  wallet: Address
  /** Base units. */
  amount: bigint
  recipient: Address
  asEth: boolean
  /** Lowest payment that the signer accepts, in wei. */
  minEth: bigint
  nonce: Hex
  /** Time of a block from which on the chain refuses it, in seconds. */
  validBefore: bigint
}

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function sellWithAuthorization(address seller, uint256 amount, uint256 minOut, address recipient, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

/** The authorizations in signed transactions, each once, in the order in which they were sent. */
export function authorizationsIn(sent: readonly Hex[]): Authorization[] {
  const found = new Map<Hex, Authorization>()
  for (const raw of sent) {
    const { to, data } = parseTransaction(raw)
    const authorization = to && data && decode(to, data)
    if (authorization) found.set(authorization.data, authorization)
  }
  return [...found.values()]
}

function decode(to: Address, data: Hex): Authorization | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data })
    if (functionName === 'sellWithAuthorization') {
      const [wallet, amount, minEth, recipient, , validBefore, nonce] = args
      return { to, data, wallet, amount, recipient, asEth: true, minEth, nonce, validBefore }
    }
    const [wallet, recipient, amount, , validBefore, nonce] = args
    return { to, data, wallet, amount, recipient, asEth: false, minEth: 0n, nonce, validBefore }
  } catch {
    // Another call.
    return undefined
  }
}
