import { parseEther } from 'viem'

/** The defaults of `ContractParameters`: 10 %, 1 %, 1 ETH and 100 ETH. */
export const CONTRACT_DEFAULTS = {
  bountyReserveBps: 1000,
  curveFeeBps: 100,
  startFdv: parseEther('1'),
  endFdv: parseEther('100'),
} as const
