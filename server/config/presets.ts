/**
 * Settings of chains people often choose, by the value of CHAIN_PRESET; a setting of one's own goes before. FINALITY is
 * left to whoever pays: on these chains `safe` makes every approval wait minutes.
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
