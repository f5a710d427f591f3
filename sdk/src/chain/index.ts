/**
 * Trades and approves project tokens, and checks payouts. It needs viem: `npm install viem`.
 *
 * @module
 */
export { bondingCurveAbi, platformWalletAbi, projectTokenAbi } from '../generated/contracts.ts'
export {
  type Bought,
  type Funding,
  MarketplaceChain,
  type ProjectContracts,
  type Quote,
  type Sold,
  type TradeLimits,
} from './chain.ts'
export { type ChainOptions, connectChain } from './connect.ts'
export { ContractError } from './errors.ts'
export { formatTokens, parseTokens } from './units.ts'
export {
  type PayoutDifference,
  type PayoutPlace,
  type PayoutVerification,
  verifyPayout,
} from './verify.ts'
