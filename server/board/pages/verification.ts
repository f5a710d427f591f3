import { encodeEventTopics, type Hex } from 'viem'
import { platformWallet } from '../../money/chain/generated/contracts.ts'
import { fromDecimal, fromDollars } from '../../money/chain/units.ts'
import { type Block, dollars, type Fact, type Inline, tokens } from '../page.ts'
import type { Payout } from './entries.ts'

/** Where a chain without a public node is asked. */
const anyNode = 'https://YOUR_NODE'

/** How anybody finds a payment by the contract `wallet` on the chain: a command to copy, and what it prints. */
export function verification(payout: Payout, wallet: string, symbol: string, node: string | null): Block[] {
  const { tx_hash, status } = payout
  if (status !== 'confirmed' || tx_hash === null) return []
  const lines = expected(payout, symbol)
  const amounts = lines.slice(payout.dollars ? -4 : -2)
  return [
    {
      kind: 'note',
      tone: 'info',
      title: 'Check it without us',
      content: `Run this against any node of the chain. The last ${amounts.length === 2 ? 'two' : 'four'} lines must read:`,
    },
    { kind: 'facts', facts: amounts },
    { kind: 'command', label: 'With curl', command: question(tx_hash, wallet, node ?? anyNode) },
    {
      kind: 'folded',
      label: 'Every line explained',
      blocks: [
        {
          kind: 'note',
          tone: 'info',
          content: [
            'It prints what the platform wallet has logged in the transaction, one value a line, without leading zeros; nothing if the ' +
              'payment was not made. The contract pays each payout id once, permanently. The amounts are hexadecimal, in base units, of ' +
              'which a token has 10^18 and a dollar 10^6. The Transfer events of the token contract move the same amounts. ',
            { href: '/contracts.json', label: 'The contracts and their ABIs' },
          ],
        },
        { kind: 'facts', facts: lines },
        {
          kind: 'command',
          label: 'The whole receipt, with Foundry',
          command: `cast receipt ${tx_hash} --rpc-url ${node ?? anyNode}`,
        },
      ],
    },
  ]
}

/** Puts each log on a line of its own. The fields of a log are sorted, because nodes differ in their order. */
function question(hash: string, wallet: string, node: string): string {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
  return [
    `curl -s ${node} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
    String.raw`tr '{}' '\n\n'`,
    `grep -i '"address":"${wallet}"'`,
    `grep -oE '"topics":[^]]*|"data":"[^"]*'`,
    'sort -r',
    `grep -oE '[0-9a-f]{64}'`,
    String.raw`sed 's/^0*\(.\)/\1/'`,
  ].join(' | ')
}

/** What a payout has logged, value by value, as `sort -r` has it: an address is more than any amount of dollars. */
function expected(payout: Payout, symbol: string): Fact[] {
  const { payout_id, token_address, from, to, net, fee, dollars: paid } = payout
  const line = (value: string | bigint): Inline => ({ code: BigInt(value).toString(16), isWord: true })
  const event = (eventName: 'Paid' | 'Released'): Fact => {
    const [topic] = encodeEventTopics({ abi: platformWallet.abi, eventName }) as [Hex]
    return [`Event “${eventName}”`, line(topic)]
  }
  const amount = (of: string): Inline => [line(fromDecimal(of)), ' ', tokens(of, symbol)]
  const inDollars = (of: string): Inline => [line(fromDollars(of)), ' ', dollars(of)]
  const id: Fact = ['Payout id', line(payout_id)]
  const payee: Fact = ['To wallet', line(to)]
  return [
    ...(paid ? [event('Released'), id, payee] : []),
    event('Paid'),
    id,
    ['Token contract', line(token_address)],
    ['From wallet', line(from)],
    payee,
    ['Net', amount(net)],
    ['Fee', amount(fee)],
    ...(paid
      ? ([
          ['Dollars with the fee', inDollars(paid.gross)],
          ['Fee in dollars', inDollars(paid.fee)],
        ] as const)
      : []),
  ]
}
