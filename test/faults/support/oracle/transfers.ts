import { type Address, type Hex, isAddressEqual, parseAbiItem } from 'viem'
import type { Fixture } from '../fixture.ts'
import type { Node } from '../node.ts'

/** What is needed to read the chain since the schedule began. */
export interface ChainEvidence {
  fixture: Fixture
  node: Node
  /** Newest block of the fixture. */
  since: bigint
}

/** Tokens or ETH that have left a managed wallet. */
export interface Move {
  hash: Hex
  blockNumber: bigint
  /** Log index of the transfer. */
  logIndex: number
  token: Address
  wallet: Address
  /** Received the tokens or the ETH. */
  recipient: Address
  /** Base units. */
  amount: bigint
  /** What a sale has paid, in wei; null: the tokens themselves were moved. */
  ethPaid: bigint | null
}

/** The use or the cancellation of an authorization. */
export interface NonceEvent {
  hash: Hex
  blockNumber: bigint
  wallet: Address
  nonce: Hex
  isCancelled: boolean
}

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 amount)')
const soldEvent = parseAbiItem(
  'event Sold(address indexed seller, address indexed recipient, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold)',
)
const usedEvent = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const cancelledEvent = parseAbiItem(
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
)

/** Transfers of the projects' tokens since the schedule began. */
export async function readTransfers({ node, fixture, since }: ChainEvidence) {
  const address = fixture.projects.map(({ token }) => token)
  const events = await node.getLogs({ address, event: transferEvent, fromBlock: since, toBlock: 'latest' })
  return events.filter(({ blockNumber }) => blockNumber > since)
}

/** Everything that has left a managed wallet since the schedule began. A sale counts as what its recipient got. */
export async function readMoves(evidence: ChainEvidence): Promise<Move[]> {
  const { node, fixture, since } = evidence
  const wallets = fixture.holders.map(({ wallet }) => wallet)
  const isManaged = (address: Address) => wallets.some((wallet) => isAddressEqual(wallet, address))
  const [transfers, sold] = await Promise.all([
    readTransfers(evidence),
    node.getLogs({
      address: fixture.projects.map(({ curve }) => curve),
      event: soldEvent,
      fromBlock: since,
      toBlock: 'latest',
    }),
  ])
  const sales = [...sold]
  return transfers
    .filter(({ args }) => isManaged(args.from!))
    .map(({ args, address: token, transactionHash: hash, blockNumber, logIndex }): Move => {
      const common = { hash, blockNumber, logIndex, token, wallet: args.from!, amount: args.amount! }
      const curve = fixture.projects.find((project) => isAddressEqual(project.token, token))!.curve
      const index = sales.findIndex(
        (sale) =>
          sale.transactionHash === hash &&
          isAddressEqual(sale.address, curve) &&
          isAddressEqual(sale.args.seller!, args.from!) &&
          sale.args.amount === args.amount,
      )
      if (!isAddressEqual(args.to!, curve) || index < 0)
        return { ...common, recipient: args.to!, ethPaid: null }
      // Each sale explains one transfer.
      const [sale] = sales.splice(index, 1)
      return { ...common, recipient: sale!.args.recipient!, ethPaid: sale!.args.ethOut! }
    })
}

/** Uses and cancellations of authorizations since the schedule began. */
export async function readNonceEvents({ node, fixture, since }: ChainEvidence): Promise<NonceEvent[]> {
  const range = {
    address: fixture.projects.map(({ token }) => token),
    fromBlock: since,
    toBlock: 'latest',
  } as const
  const [used, cancelled] = await Promise.all([
    node.getLogs({ ...range, event: usedEvent }),
    node.getLogs({ ...range, event: cancelledEvent }),
  ])
  return [
    ...used.map((event) => ({ ...event, isCancelled: false })),
    ...cancelled.map((event) => ({ ...event, isCancelled: true })),
  ].map(({ transactionHash: hash, blockNumber, args, isCancelled }) => ({
    hash,
    blockNumber,
    isCancelled,
    wallet: args.authorizer!,
    nonce: args.nonce!,
  }))
}
