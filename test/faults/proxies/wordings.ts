/** The replies of different nodes to sent bytes, in their wordings. */
export const wordings = {
  /** The bytes are in the pool already. */
  known: {
    geth: 'already known',
    Erigon: 'ALREADY_EXISTS: already known',
    Besu: 'Known transaction',
    Nethermind: 'AlreadyKnown',
    anvil: 'transaction already imported',
  },
  nonceTooLow: {
    geth: 'nonce too low: next nonce 5, tx nonce 4',
    Erigon: 'nonce too low',
    Besu: 'Nonce too low',
    Nethermind: 'OldNonce, Current nonce: 5, nonce of rejected tx: 4',
    anvil: 'nonce too low',
  },
  nonceTooHigh: {
    geth: 'nonce too high',
    Erigon: 'nonce too high',
    Besu: 'Transaction nonce is too distant from current sender nonce',
    Nethermind: 'NonceGap, Future nonce. Expected nonce: 4',
    anvil: 'nonce exceeds next nonce',
  },
  underpriced: {
    geth: 'replacement transaction underpriced',
    Erigon: 'could not replace existing tx',
    Besu: 'Replacement transaction underpriced',
    Nethermind: 'ReplacementNotAllowed, existing tx has a higher fee',
    anvil: 'replacement transaction underpriced',
  },
  poolFull: {
    geth: 'txpool is full',
    Erigon: 'txpool is full: pending discarded',
    Besu: 'Transaction pool not enabled or full',
    Nethermind: 'FeeTooLowToCompete, FeePerGas needs to be higher to be added to the TxPool',
    anvil: 'transaction pool is full',
  },
  belowBaseFee: {
    geth: 'max fee per gas less than block base fee: address 0x0, maxFeePerGas: 1, baseFee: 2',
    Erigon: 'fee too low',
    Besu: 'Gas price below configured minimum gas price: fee is too low',
    Nethermind: 'FeeTooLow, MaxFeePerGas too low',
    anvil: 'max fee per gas less than block base fee',
  },
  noMoney: {
    geth: 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1',
    Erigon: 'insufficient funds for gas * price + value',
    Besu: 'Upfront cost exceeds account balance',
    Nethermind: 'InsufficientFunds, Account balance: 0, cumulative cost: 1',
    anvil: 'Insufficient funds for gas * price + value',
  },
} as const

export type Wording = keyof typeof wordings
export type NodeName = keyof (typeof wordings)['known']
export const nodeNames = Object.keys(wordings.known) as NodeName[]
