import { expect, test } from 'vitest'
import { isExact } from '../../../server/engines/relays/evidence.ts'

const recipient = '0x00000000000000000000000000000000000000aa'
const all = { asEth: true, recipient, amount: 30n, takesAll: true, minEth: 60n } as const
const sale = { asEth: true, recipient, amount: 30n, ethPaid: 60n } as const
const tokens = { ...all, asEth: false, minEth: 0n } as const

test.each([
  ['a sale of everything at the least payment', all, sale, true],
  ['a sale below the least payment', all, { ...sale, ethPaid: 59n }, false],
  ['a sale of a third for a third of it', all, { ...sale, amount: 10n, ethPaid: 20n }, true],
  ['a sale of a third for less', all, { ...sale, amount: 10n, ethPaid: 19n }, false],
  ['a sale of more at the least payment', all, { ...sale, amount: 40n }, true],
  ['a sale of more for less', all, { ...sale, amount: 40n, ethPaid: 59n }, false],
  ['another amount of everything', tokens, { ...sale, asEth: false, amount: 1n, ethPaid: null }, true],
  ['nothing of everything', tokens, { ...sale, asEth: false, amount: 0n, ethPaid: null }, false],
  ['another amount than asked for', { ...all, takesAll: false }, { ...sale, amount: 29n }, false],
  ['a cancelled nonce', all, null, false],
])('%s', (_, terms, effect, expected) => {
  expect(isExact(terms, effect)).toBe(expected)
})
