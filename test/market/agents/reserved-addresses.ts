import type { TestMarket } from '../../support/market.ts'

/** Every kind of address that cannot be an agent's wallet, each with where to find one. */
export function reservedAddresses(market: TestMarket): [string, () => string | Promise<string>][] {
  const { chain } = market
  return Object.entries({
    'the zero address': () => `0x${'0'.repeat(40)}`,
    'the platform wallet': () => chain.platformWallet,
    'the factory': () => chain.projectFactory,
    'the code behind every token': () => chain.tokenImplementation,
    'the code behind every curve': () => chain.curveImplementation,
    'the treasury': () => chain.treasury,
    'the owner': () => chain.owner.address,
    'an operator': () => market.services.chain.require().operators[0]?.address ?? '',
    'the token of a project': async () => (await market.activeProject()).token_address,
    'the curve of a project': async () => (await market.activeProject()).curve_address,
  })
}

/** Addresses that nobody has the key of, beside the zero address. */
export const burnAddresses = [
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000ffff',
  '0x000000000000000000000000000000000000dEaD',
  '0xdead000000000000000000000000000000000000',
  '0xdead000000000000000042069420694206942069',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
]

/** The same address in every letter case that is accepted as one. */
export function inEveryCase(address: string): string[] {
  const digits = address.slice(2)
  return [address, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]
}
