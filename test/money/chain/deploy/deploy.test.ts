import { execFile } from 'node:child_process'
import { type Address, concatHex, type Hex, isAddress, parseEther, parseGwei, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  CONTRACT_DEFAULTS,
  DeploymentError,
  type DeployOptions,
  deployContracts,
  predictDeployment,
} from '../../../../server/money/chain/deploy/deploy.ts'
import { CREATE2_PROXY, factoryInitCode } from '../../../../server/money/chain/deploy/predict.ts'
import { platformWallet, projectFactory } from '../../../../server/money/chain/generated/contracts.ts'
import { built } from '../../../ops/support/service.ts'
import { startOwnChain } from '../../../support/own-chain.ts'
import { receiptOf } from '../../../support/receipt.ts'

const { rpcUrl, node } = await startOwnChain()

async function newDeployer(on = node, ether = '10') {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  await on.setBalance({ address: account.address, value: parseEther(ether) })
  return { ...account, privateKey }
}

const someone = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** Deploys, and returns the log lines too. */
async function deploy(options: Partial<DeployOptions> & { deployerPrivateKey: Hex }) {
  const lines: string[] = []
  const deployment = await deployContracts({
    rpcUrl,
    operators: [],
    log: (line) => lines.push(line),
    ...options,
  })
  return { ...deployment, lines }
}

async function refusal(
  options: Partial<DeployOptions> & { deployerPrivateKey: Hex },
): Promise<DeploymentError> {
  const error = await deploy(options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof DeploymentError)) throw new Error(`not refused as expected: ${error}`)
  return error
}

describe('a first run', () => {
  test('deploys all contracts at the predicted addresses and logs these and the gas', async () => {
    const deployer = await newDeployer()
    const owner = someone()
    const treasury = someone()
    const result = await deploy({ deployerPrivateKey: deployer.privateKey, owner, treasury })
    const predicted = predictDeployment({ ...CONTRACT_DEFAULTS, owner, treasury })
    expect(result).toMatchObject({ chainId: 31_337, owner, treasury, missingOperators: [], ...predicted })
    expect(result.gasUsed).toEqual(expect.any(BigInt))
    const log = result.lines.join('\n')
    for (const address of Object.values(predicted)) expect(log).toContain(address)
    expect(log).toContain(`gas ${result.gasUsed}`)
    const factory = { address: predicted.projectFactory, abi: projectFactory.abi } as const
    expect(await node.readContract({ ...factory, functionName: 'platformWallet' })).toBe(
      predicted.platformWallet,
    )
    expect(await node.readContract({ ...factory, functionName: 'tokenImplementation' })).toBe(
      predicted.tokenImplementation,
    )
    expect(await node.readContract({ ...factory, functionName: 'curveImplementation' })).toBe(
      predicted.curveImplementation,
    )
  })

  test('owner and treasury default to the deployer', async () => {
    const deployer = await newDeployer()
    const result = await deploy({ deployerPrivateKey: deployer.privateKey })
    expect(result).toMatchObject({ owner: deployer.address, treasury: deployer.address })
  })

  test('registers the operators', async () => {
    const deployer = await newDeployer()
    const operators = [someone(), someone()]
    const result = await deploy({ deployerPrivateKey: deployer.privateKey, operators })
    for (const operator of operators) expect(await isOperator(result.platformWallet, operator)).toBe(true)
  })

  test('uses its parameters', async () => {
    const deployer = await newDeployer()
    const result = await deploy({
      deployerPrivateKey: deployer.privateKey,
      bountyReserveBps: 2000,
      curveFeeBps: 50,
    })
    const factory = { address: result.projectFactory, abi: projectFactory.abi } as const
    expect(await node.readContract({ ...factory, functionName: 'bountyReserveBps' })).toBe(2000n)
    expect(await node.readContract({ ...factory, functionName: 'curveFeeBps' })).toBe(50n)
  })
})

describe('a later run', () => {
  test('adopts existing contracts and sends no transaction', async () => {
    const deployer = await newDeployer()
    const options = { deployerPrivateKey: deployer.privateKey, operators: [someone()] }
    const first = await deploy(options)
    const sent = await node.getTransactionCount(deployer)
    const second = await deploy(options)
    expect(await node.getTransactionCount(deployer)).toBe(sent)
    expect(second).toMatchObject({ projectFactory: first.projectFactory, gasUsed: undefined })
  })

  test('adds a new operator and changes no address', async () => {
    const deployer = await newDeployer()
    const first = someone()
    const second = someone()
    const before = await deploy({ deployerPrivateKey: deployer.privateKey, operators: [first] })
    const after = await deploy({ deployerPrivateKey: deployer.privateKey, operators: [first, second] })
    expect(after.platformWallet).toBe(before.platformWallet)
    expect(await isOperator(after.platformWallet, second)).toBe(true)
    expect(await node.getTransactionCount(deployer)).toBe(3)
  })

  test('with another deployer key adopts the contracts of the owner', async () => {
    const one = await newDeployer()
    const other = await newDeployer()
    const owner = someone()
    const first = await deploy({ deployerPrivateKey: one.privateKey, owner })
    const second = await deploy({ deployerPrivateKey: other.privateKey, owner })
    expect(second).toMatchObject({ projectFactory: first.projectFactory, gasUsed: undefined })
    expect(await node.getTransactionCount(other)).toBe(0)
  })

  test('waits for the transaction of a run that crashed, and adopts its contracts', async () => {
    const own = await startOwnChain()
    const deployer = await newDeployer(own.node)
    const parameters = { ...CONTRACT_DEFAULTS, owner: deployer.address, treasury: deployer.address }
    await own.node.setAutomine(false)
    // What the crashed run left behind: its transaction, sent and not mined.
    await own.node.sendTransaction({
      account: deployer,
      to: CREATE2_PROXY,
      data: concatHex([zeroHash, factoryInitCode(parameters)]),
      gas: 8_000_000n,
    })
    const again = deploy({ rpcUrl: own.rpcUrl, deployerPrivateKey: deployer.privateKey })
    await own.node.mine({ blocks: 1 })
    await own.node.setAutomine(true)
    expect(await again).toMatchObject({ ...predictDeployment(parameters), gasUsed: undefined })
    expect(await own.node.getTransactionCount(deployer)).toBe(1)
  })

  test('two concurrent runs end with the same contracts', async () => {
    const one = await newDeployer()
    const other = await newDeployer()
    const owner = someone()
    const results = await Promise.all([
      deploy({ deployerPrivateKey: one.privateKey, owner }),
      deploy({ deployerPrivateKey: other.privateKey, owner }),
    ])
    expect(results[0].projectFactory).toBe(results[1].projectFactory)
    expect(results.filter((result) => result.gasUsed !== undefined)).toHaveLength(1)
  })
})

describe('when the deployer is not the owner', () => {
  test('missing operators are named with the call that adds them', async () => {
    const deployer = await newDeployer()
    const owner = await newDeployer()
    const operator = someone()
    const options = { deployerPrivateKey: deployer.privateKey, owner: owner.address, operators: [operator] }
    const result = await deploy(options)
    expect(result.missingOperators).toEqual([operator])
    const line = result.lines.at(-1) ?? ''
    expect(line).toContain(owner.address)
    const data = /call (0x[0-9a-f]+)$/.exec(line)?.[1] as Hex
    const hash = await node.sendTransaction({ account: owner, to: result.platformWallet, data })
    await receiptOf(node, hash)
    expect((await deploy(options)).missingOperators).toEqual([])
  })

  test('after a transfer of ownership, the new owner is named', async () => {
    const deployer = await newDeployer()
    const successor = await newDeployer()
    const { platformWallet: address } = await deploy({ deployerPrivateKey: deployer.privateKey })
    const wallet = { address, abi: platformWallet.abi } as const
    const transfer = { ...wallet, functionName: 'transferOwnership', args: [successor.address] } as const
    await receiptOf(node, await node.writeContract({ ...transfer, account: deployer }))
    const accept = { ...wallet, functionName: 'acceptOwnership' } as const
    await receiptOf(node, await node.writeContract({ ...accept, account: successor }))
    const operator = someone()
    const result = await deploy({ deployerPrivateKey: deployer.privateKey, operators: [operator] })
    expect(result).toMatchObject({ owner: successor.address, missingOperators: [operator] })
  })
})

describe('is refused', () => {
  test('wrong_chain: no transaction is sent', async () => {
    const deployer = await newDeployer()
    const error = await refusal({ deployerPrivateKey: deployer.privateKey, expectedChainId: 8453 })
    expect(error.code).toBe('wrong_chain')
    expect(error.message).toContain('31337')
    expect(error.message).toContain('8453')
    expect(await node.getTransactionCount(deployer)).toBe(0)
  })

  test('insufficient_funds: names the account and the amount it needs', async () => {
    const deployer = await newDeployer(node, '0.000001')
    const error = await refusal({ deployerPrivateKey: deployer.privateKey })
    expect(error.code).toBe('insufficient_funds')
    expect(error.message).toContain(deployer.address)
  })

  test('unreachable: the message omits the URL, which may contain a key', async () => {
    const error = await refusal({
      deployerPrivateKey: generatePrivateKey(),
      rpcUrl: 'http://127.0.0.1:1/v2/secret-access-key',
    })
    expect(error.code).toBe('unreachable')
    expect(error.message).not.toContain('secret-access-key')
  })

  test('no_cancun: on a chain of an earlier hardfork, before anything is sent', async () => {
    const own = await startOwnChain(['--hardfork', 'shanghai'])
    const deployer = await newDeployer(own.node)
    const error = await refusal({ rpcUrl: own.rpcUrl, deployerPrivateKey: deployer.privateKey })
    expect(error.code).toBe('no_cancun')
    expect(error.message).toContain('lacks the Cancun instructions that they use (EIP-1153, EIP-5656)')
    expect(await own.node.getTransactionCount(deployer)).toBe(0)
  })

  test('other_create2: on a chain with the deployer of the ZK Stack, before anything is sent', async () => {
    const own = await startOwnChain()
    const deployer = await newDeployer(own.node)
    await own.node.setCode({ address: '0x0000000000000000000000000000000000008006', bytecode: '0x00' })
    const error = await refusal({ rpcUrl: own.rpcUrl, deployerPrivateKey: deployer.privateKey })
    expect(error.code).toBe('other_create2')
    expect(await own.node.getTransactionCount(deployer)).toBe(0)
  })

  test('treasury_refuses_ether: for a factory or a platform wallet as the treasury, not for a contract that takes ETH', async () => {
    const deployer = await newDeployer()
    const deployed = await deploy({ deployerPrivateKey: deployer.privateKey })
    const sent = await node.getTransactionCount(deployer)
    for (const treasury of [deployed.projectFactory, deployed.platformWallet]) {
      const error = await refusal({ deployerPrivateKey: deployer.privateKey, treasury })
      expect(error.code).toBe('treasury_refuses_ether')
      expect(error.message).toContain(`TREASURY_ADDRESS, ${treasury}`)
    }
    expect(await node.getTransactionCount(deployer)).toBe(sent)
    // A contract that takes ETH, as a multi-signature wallet does.
    const treasury = someone()
    await node.setCode({ address: treasury, bytecode: '0x00' })
    expect(await deploy({ deployerPrivateKey: deployer.privateKey, treasury })).toMatchObject({ treasury })
  })

  test('no_create2_proxy: on a chain without it, whose gas price is too high for its transaction', async () => {
    const own = await startOwnChain([
      '--disable-default-create2-deployer',
      '--base-fee',
      String(parseGwei('200')),
    ])
    const deployer = await newDeployer(own.node)
    const error = await refusal({ rpcUrl: own.rpcUrl, deployerPrivateKey: deployer.privateKey })
    expect(error.code).toBe('no_create2_proxy')
  })
})

test('a chain without the deployment proxy gets it at its fixed address', async () => {
  const own = await startOwnChain(['--disable-default-create2-deployer'])
  expect(await own.node.getCode({ address: CREATE2_PROXY })).toBeUndefined()
  const deployer = await newDeployer(own.node)
  const result = await deploy({ rpcUrl: own.rpcUrl, deployerPrivateKey: deployer.privateKey })
  expect(result.gasUsed).toBeDefined()
  expect(await own.node.getCode({ address: CREATE2_PROXY })).toMatch(/^0x7f/)
})

describe('the command', () => {
  test('exit 0: prints every address', async () => {
    const deployer = await newDeployer()
    const { code, output } = await command({
      CHAIN_RPC_URL: rpcUrl,
      CHAIN_ID: '31337',
      OPERATOR_PRIVATE_KEYS: `${deployer.privateKey},${generatePrivateKey()}`,
      OPERATOR_ADDRESSES: someone(),
    })
    expect(code).toBe(0)
    const predicted = predictDeployment({
      ...CONTRACT_DEFAULTS,
      owner: deployer.address,
      treasury: deployer.address,
    })
    for (const address of Object.values(predicted)) expect(output).toContain(address)
    expect(output.match(/^operator 0x[0-9a-fA-F]{40} added/gm)).toHaveLength(3)
    expect(output).not.toContain(deployer.privateKey.slice(2))
  })

  test('exit 2: only the owner can add the missing operators', async () => {
    const deployer = await newDeployer()
    const { code } = await command({
      CHAIN_RPC_URL: rpcUrl,
      CHAIN_ID: '31337',
      DEPLOYER_PRIVATE_KEY: deployer.privateKey,
      OWNER_ADDRESS: someone(),
      OPERATOR_ADDRESSES: someone(),
    })
    expect(code).toBe(2)
  })

  test('exit 1: one line, no stack', async () => {
    const { code, output } = await command({ CHAIN_RPC_URL: rpcUrl, CHAIN_ID: '31337' })
    expect(code).toBe(1)
    expect(output).toBe('DEPLOYER_PRIVATE_KEY is not set\n')
  })
})

async function isOperator(address: Address, operator: Address): Promise<boolean> {
  expect(isAddress(operator)).toBe(true)
  return node.readContract({ address, abi: platformWallet.abi, functionName: 'isOperator', args: [operator] })
}

async function command(
  settings: Record<string, string | undefined>,
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, ...settings }
  const [program = '', ...args] = await built('money/chain/deploy/cli')
  return new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}
