import { type Address, encodeEventTopics, getAddress, type Hex, type Log, pad, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { effectIn, isAsAsked } from '../../../server/money/relays/evidence.ts'

const recipient = '0x00000000000000000000000000000000000000aa'
const asked = { kind: 'withdrawal', asEth: true, recipient } as const
const sale = { asEth: true, recipient, amount: 30n, ethPaid: 60n, lockedUntil: null } as const

test.each([
  ['a sale for the recipient', sale, true],
  ['a sale of another amount, by an earlier signature', { ...sale, amount: 10n, ethPaid: 19n }, true],
  ['a sale for somebody else', { ...sale, recipient: zeroAddress }, false],
  ['tokens instead of a sale', { ...sale, asEth: false, ethPaid: null }, false],
  ['a cancelled nonce', null, false],
])('%s', (_, effect, expected) => {
  expect(isAsAsked(asked, effect)).toBe(expected)
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
  const first = `0x${'1'.repeat(64)}` as const
  const second = `0x${'2'.repeat(64)}` as const
  const other = '0x00000000000000000000000000000000000000ee'
  const logs = logsOf([...usedAndMoved(first, recipient, 10), ...usedAndMoved(second, other, 20)])
  const effect = (nonce: Hex) => effectIn({ kind: 'withdrawal', token, curve, wallet, nonce }, logs)
  const moved = { asEth: false, ethPaid: null, lockedUntil: null }
  expect(effect(first)).toEqual({ ...moved, recipient: getAddress(recipient), amount: 10n })
  expect(effect(second)).toEqual({ ...moved, recipient: getAddress(other), amount: 20n })
})
