const names: Record<number, string> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  8453: 'Base',
  42161: 'Arbitrum One',
  84532: 'Base Sepolia',
  31337: 'Local chain',
}

/** What people call a chain; for one we do not know, its id. */
export function chainName(chainId: number): string {
  return names[chainId] ?? `Chain ${chainId}`
}
