import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem'
import { platformWallet } from '../../chain/generated/contracts.ts'
import { fromDecimal } from '../../chain/units.ts'
import { type Block, type Inline, tokens } from '../page.ts'
import type { Site } from './definition.ts'
import type { Payout } from './entries.ts'

/** Where a chain without a public node is asked. */
const anyNode = 'https://YOUR_NODE'

/** How anybody finds a payment on the chain: a command to copy, and what its output has to say. */
export function verification(payout: Payout, symbol: string, site: Site): Block[] {
  const { tx_hash, log_index, status } = payout
  if (status !== 'confirmed' || tx_hash === null) return []
  const node = site.rpcUrl ?? anyNode
  const question = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [tx_hash] }
  return [
    {
      kind: 'note',
      tone: 'info',
      title: 'Verify it yourself',
      content:
        'Ask any node of the chain. The `status` of the receipt is 0x1, and one of its logs has the values below, in base units: ' +
        '10^18 are one token. The contract pays each payout id once, permanently.',
    },
    {
      kind: 'command',
      label: 'With curl',
      command: `curl -s ${node} -H 'content-type: application/json' -d '${JSON.stringify(question)}'`,
    },
    { kind: 'command', label: 'With Foundry', command: `cast receipt ${tx_hash} --rpc-url ${node}` },
    {
      kind: 'table',
      title: log_index === null ? 'What the log says' : `What log ${log_index} says`,
      columns: [{ label: 'Field' }, { label: 'Value' }, { label: 'Meaning' }],
      rows: expected(payout, symbol, site),
    },
    {
      kind: 'note',
      tone: 'info',
      content: [
        'Two Transfer events of the token contract beside it move net and fee. ',
        { href: '/contracts.json', label: 'The ABIs' },
      ],
    },
  ]
}

/** The `Paid` event of a payout as the chain stores it. */
function expected(payout: Payout, symbol: string, site: Site): Inline[][] {
  const wallet = site.platformWallet()
  const { payout_id, token_address, from, to, net, fee } = payout
  const args = { payoutId: payout_id as Hex, token: token_address as Hex, from: from as Hex }
  const [event, ...topics] = encodeEventTopics({ abi: platformWallet.abi, eventName: 'Paid', args }) as Hex[]
  const words = [
    word('address', to as Hex),
    word('uint256', fromDecimal(net)),
    word('uint256', fromDecimal(fee)),
  ]
  const meanings: Inline[] = ['the payout id', 'the token contract', 'the founder’s wallet pays']
  const parts: Inline[] = ['the contributor’s wallet', tokens(net, symbol), ['fee of ', tokens(fee, symbol)]]
  return [
    ...(wallet === null ? [] : [['address', { code: wallet.toLowerCase() }, 'the platform wallet']]),
    ['topics[0]', { code: event as Hex }, 'the event Paid'],
    ...topics.map((topic, index): Inline[] => [
      `topics[${index + 1}]`,
      { code: topic },
      meanings[index] ?? '',
    ]),
    ...words.map((each, index): Inline[] => [
      `data, word ${index + 1}`,
      { code: each.slice(2) },
      parts[index] ?? '',
    ]),
  ]
}

function word(type: 'address' | 'uint256', value: Hex | bigint): Hex {
  return encodeAbiParameters([{ type }], [value])
}
