import { type Address, encodeFunctionData, type Hex, parseUnits } from 'viem'
import { readAddress } from '../../../config/address.ts'
import { ConfigError } from '../../../config/config.ts'
import { bondingCurve, platformWallet } from '../generated/contracts.ts'

/** A setting that holds a key; OPERATOR_PRIVATE_KEYS may hold several. */
export type KeySetting =
  | 'OWNER_PRIVATE_KEY'
  | 'OPERATOR_PRIVATE_KEYS'
  | 'DEPLOYER_PRIVATE_KEY'
  | 'TREASURY_PRIVATE_KEY'

const anyKey: readonly KeySetting[] = ['TREASURY_PRIVATE_KEY', 'OWNER_PRIVATE_KEY', 'DEPLOYER_PRIVATE_KEY']

/** One call to the contracts. */
export interface AdministrativeCall {
  to: Address
  data: Hex
  /** Its effect, for the person about to send it. */
  effect: string
  /** The settings whose key may send it, the preferred first. */
  keys: readonly KeySetting[]
}

/** The commands, for the help text. */
export const administrativeCommands = [
  'verify-input                  prints the input for verifying the sources on a block explorer',
  'add-operator ADDRESS          lets a key pay bounties',
  'remove-operator ADDRESS       stops a key at once, also for pending transactions',
  'pause                         stops all payouts; the owner or any operator can',
  'unpause                       resumes them; only the owner can',
  'resign                        removes the first key of OPERATOR_PRIVATE_KEYS from the operators',
  'daily-cap TOKEN AMOUNT|none   limits the payouts of a token per day (UTC), in whole tokens',
  'dollar-cap DOLLAR AMOUNT      limits the dollars paid per day (UTC), in whole dollars',
  'transfer-ownership ADDRESS    names the next owner, who then has to accept',
  'accept-ownership              as the named owner: takes over the ownership',
  'withdraw-fees CURVE           sends the curve’s fees to the treasury; anybody can',
  'withdraw-dollar-fees          sends the fees in dollars to the treasury; anybody can',
]

/** Builds the call that a command line asks for. Throws {@link ConfigError}. */
export function administrativeCall(wallet: Address, words: readonly string[]): AdministrativeCall {
  const [command, ...args] = words
  const at = (index: number): Address => {
    const read = readAddress(args[index] ?? '')
    if ('address' in read) return read.address
    throw new ConfigError(`argument ${index + 1} of ${command}: an address ${read.wrong}`)
  }
  const count = (expected: number) => {
    if (args.length !== expected) throw new ConfigError(`${command} takes ${expected} arguments`)
  }
  const abi = platformWallet.abi
  const call = (
    data: Hex,
    effect: string,
    keys: readonly KeySetting[] = ['OWNER_PRIVATE_KEY'],
  ): AdministrativeCall => ({ to: wallet, data, effect, keys })
  switch (command) {
    case 'add-operator':
    case 'remove-operator': {
      count(1)
      const allowed = command === 'add-operator'
      const data = encodeFunctionData({ abi, functionName: 'setOperator', args: [at(0), allowed] })
      return call(data, `${allowed ? 'add' : 'remove'} operator ${at(0)}`)
    }
    case 'pause':
      count(0)
      return call(encodeFunctionData({ abi, functionName: 'pause' }), 'stop all payouts', [
        'OWNER_PRIVATE_KEY',
        'OPERATOR_PRIVATE_KEYS',
      ])
    case 'unpause':
      count(0)
      return call(encodeFunctionData({ abi, functionName: 'unpause' }), 'resume payouts')
    case 'resign':
      count(0)
      return call(encodeFunctionData({ abi, functionName: 'resign' }), 'stop being an operator', [
        'OPERATOR_PRIVATE_KEYS',
      ])
    case 'daily-cap':
    case 'dollar-cap': {
      count(2)
      const { data, effect } = dailyCap(at(0), args[1] ?? '', command)
      return call(data, effect)
    }
    case 'transfer-ownership':
      count(1)
      return call(
        encodeFunctionData({ abi, functionName: 'transferOwnership', args: [at(0)] }),
        `name ${at(0)} the next owner`,
      )
    case 'accept-ownership':
      count(0)
      return call(encodeFunctionData({ abi, functionName: 'acceptOwnership' }), 'accept the ownership')
    case 'withdraw-fees':
      count(1)
      return feeWithdrawal(at(0))
    case 'withdraw-dollar-fees':
      count(0)
      return dollarFeeWithdrawal(wallet)
    default:
      throw new ConfigError(
        `${command} is not a command. Commands:\n  ${administrativeCommands.join('\n  ')}`,
      )
  }
}

function feeWithdrawal(curve: Address): AdministrativeCall {
  return {
    to: curve,
    data: encodeFunctionData({ abi: bondingCurve.abi, functionName: 'withdrawFees' }),
    effect: `send the fees of curve ${curve} to the treasury`,
    keys: anyKey,
  }
}

function dollarFeeWithdrawal(wallet: Address): AdministrativeCall {
  return {
    to: wallet,
    data: encodeFunctionData({ abi: platformWallet.abi, functionName: 'withdrawDollarFees' }),
    effect: 'send the fees in dollars to the treasury',
    keys: anyKey,
  }
}

/** Tokens have 18 decimals, dollars 6; zero lifts the cap of a token. */
function dailyCap(token: Address, amount: string, command: 'daily-cap' | 'dollar-cap') {
  const decimals = command === 'daily-cap' ? 18 : 6
  const isLifted = command === 'daily-cap' && amount === 'none'
  if (!isLifted && !/^[1-9]\d{0,12}$/.test(amount))
    throw new ConfigError(
      command === 'daily-cap'
        ? 'the cap has to be whole tokens above zero, or none'
        : 'the cap has to be whole dollars above zero',
    )
  const cap = isLifted ? 0n : parseUnits(amount, decimals)
  const data = encodeFunctionData({
    abi: platformWallet.abi,
    functionName: 'setDailyCap',
    args: [token, cap],
  })
  const effect = isLifted ? `lift the daily cap of ${token}` : `cap ${token} at ${amount} a day`
  return { data, effect }
}
