import * as contracts from '../../server/money/chain/generated/contracts.ts'

/** Of each contract the ABI entries that an agent uses. */
const used: Record<
  string,
  { contract: { abi: readonly { type: string; name?: string }[] }; names: string[] }
> = {
  bondingCurveAbi: {
    contract: contracts.bondingCurve,
    names: ['buy', 'sell', 'quoteBuy', 'quoteSell', 'maxSell', 'price', 'Bought', 'Sold'],
  },
  projectTokenAbi: {
    contract: contracts.projectToken,
    names: [
      'approve',
      'allowance',
      'balanceOf',
      'transfer',
      'bountyReserve',
      'founder',
      'platformWallet',
      'Transfer',
    ],
  },
  platformWalletAbi: {
    contract: contracts.platformWallet,
    names: ['treasury', 'dollar', 'Paid', 'Released'],
  },
}

/** The ABIs of the contracts an agent talks to: the functions and events it uses and every error, so that reverts can be named. */
export function contractsSource(): string {
  const constants = Object.entries(used).map(([constant, { contract, names }]) => {
    const found = contract.abi.filter((entry) => entry.type === 'error' || names.includes(entry.name ?? ''))
    const missing = names.filter((name) => !found.some((entry) => entry.name === name))
    if (missing.length > 0) throw new Error(`${constant}: the contract has no ${missing.join(', ')}`)
    const lines = found.map((entry) => `  ${JSON.stringify(entry)},\n`)
    return `export const ${constant} = [\n${lines.join('')}] as const\n`
  })
  return constants.join('\n')
}
