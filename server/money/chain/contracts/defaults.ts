import { parseEther, parseUnits, zeroAddress } from 'viem'

/** The defaults of `ContractParameters`: 10 %, 1 %, 1 ETH and 100 ETH, no stablecoin, 5,000 dollars a day. */
export const CONTRACT_DEFAULTS = {
  bountyReserveBps: 1000,
  curveFeeBps: 100,
  startFdv: parseEther('1'),
  endFdv: parseEther('100'),
  dollar: zeroAddress,
  dollarDailyCap: parseUnits('5000', 6),
} as const
