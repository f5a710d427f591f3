import { parseAbi } from 'viem'

/**
 * Events of the factories and curves before 0.2.0, which have other arguments now. Their projects stay with them, so their
 * logs have to be read permanently. All other events are the same as in `generated/contracts.ts`.
 */
export const earlierEvents = parseAbi([
  'event ProjectCreated(bytes32 indexed projectKey, address indexed creator, address indexed founder, address token, address curve, uint256 supply)',
  'event Bought(address indexed buyer, uint256 amount, uint256 ethIn, uint256 fee, uint256 sold)',
  'event Sold(address indexed seller, uint256 amount, uint256 ethOut, uint256 fee, uint256 sold)',
])
