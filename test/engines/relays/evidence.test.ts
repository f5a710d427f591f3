import { type Address, encodeEventTopics, getAddress, type Hex, type Log, pad } from 'viem'
import { expect, test } from 'vitest'
import { projectToken } from '../../../server/chain/generated/contracts.ts'
import { effectIn, isExact } from '../../../server/engines/relays/evidence.ts'

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

const token = '0x00000000000000000000000000000000000000bb'
const wallet = '0x00000000000000000000000000000000000000cc'
const curve = '0x00000000000000000000000000000000000000dd'

/** The logs of a transaction in which the token emitted these events. */
function logsOf(events: { topics: unknown; data: Hex }[]): Log[] {
  const place = { address: token, blockNumber: 7n, transactionIndex: 0, removed: false }
  return events.map((event, logIndex) => ({ ...place, ...event, logIndex }) as unknown as Log)
}

function usedAndMoved(nonce: Hex, to: Address, amount: number) {
  const { abi } = projectToken
  const use = { abi, eventName: 'AuthorizationUsed', args: { authorizer: wallet, nonce } } as const
  const transfer = { abi, eventName: 'Transfer', args: { from: wallet, to } } as const
  return [
    { topics: encodeEventTopics(use), data: '0x' as Hex },
    { topics: encodeEventTopics(transfer), data: pad(`0x${amount.toString(16)}`) },
  ]
}

test('each of two authorizations in one transaction has the effect that follows its use', () => {
  const [first, second] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] as const
  const other = '0x00000000000000000000000000000000000000ee'
  const logs = logsOf([...usedAndMoved(first, recipient, 10), ...usedAndMoved(second, other, 20)])
  const effect = (nonce: Hex) => effectIn({ kind: 'withdrawal', token, curve, wallet, nonce }, logs)
  const moved = { asEth: false, ethPaid: null }
  expect(effect(first)).toEqual({ ...moved, recipient: getAddress(recipient), amount: 10n })
  expect(effect(second)).toEqual({ ...moved, recipient: getAddress(other), amount: 20n })
})
