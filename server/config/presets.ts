/**
 * Settings of common chains, by the value of CHAIN_PRESET. Explicit settings override them. FINALITY is not among them:
 * on these chains `safe` makes every approval wait for minutes, and the operator should choose that.
 */
export const chainPresets: Record<'base' | 'base-sepolia', Record<string, string>> = {
  base: {
    CHAIN_ID: '8453',
    CHAIN_NAME: 'Base',
    CHAIN_RPC_URL: 'https://mainnet.base.org',
    CHAIN_PUBLIC_RPC_URL: 'https://mainnet.base.org',
    CHAIN_EXPLORER_URL: 'https://basescan.org',
  },
  'base-sepolia': {
    CHAIN_ID: '84532',
    CHAIN_NAME: 'Base Sepolia',
    CHAIN_RPC_URL: 'https://sepolia.base.org',
    CHAIN_PUBLIC_RPC_URL: 'https://sepolia.base.org',
    CHAIN_EXPLORER_URL: 'https://sepolia.basescan.org',
  },
}
