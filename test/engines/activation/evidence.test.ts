import {
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  keccak256,
  type Log,
  stringToHex,
} from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../../server/chain/chain.ts'
import { projectFactory } from '../../../server/chain/generated/contracts.ts'
import { readDeploy } from '../../../server/engines/activation/evidence.ts'
import type { Activation } from '../../../server/engines/activation/store.ts'

const address = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
const factory = address('a')
const chain = { projectFactory: factory } as Chain
const sender = address('b')
const founder = address('c')
const predicted = { deployer: sender, token: address('d'), curve: address('e') }
const activation = { projectId: 'proj_1', tokenSupply: 1000, predicted } as Activation

const created = {
  at: factory,
  projectKey: keccak256(stringToHex('proj_1')),
  creator: sender,
  token: predicted.token,
  curve: predicted.curve,
  founder,
  supply: 1000n * 10n ** 18n,
  name: 'Research Notes',
  symbol: 'NOTES',
}

/** The log of a ProjectCreated event with some values changed. */
function projectCreated(changes: Partial<typeof created> = {}): Log {
  const values = { ...created, ...changes }
  return {
    address: values.at,
    topics: encodeEventTopics({ abi: projectFactory.abi, eventName: 'ProjectCreated', args: values }) as [
      Hex,
    ],
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'string' }, { type: 'string' }],
      [values.token, values.curve, values.supply, values.name, values.symbol],
    ),
    transactionHash: null,
    blockNumber: null,
    blockHash: null,
    logIndex: null,
    transactionIndex: null,
    removed: false,
  }
}

test('the contracts of the one ProjectCreated event that is exactly this project', () => {
  const foreign = projectCreated({ at: address('9') })
  expect(readDeploy(chain, activation, sender, [foreign, projectCreated()])).toEqual({
    founderWallet: founder,
    token: predicted.token,
    curve: predicted.curve,
  })
})

test.each<[string, Log[]]>([
  ['there is none', []],
  ['there are two', [projectCreated(), projectCreated()]],
  ['another contract has emitted it', [projectCreated({ at: address('9') })]],
  ['the key is of another project', [projectCreated({ projectKey: keccak256(stringToHex('proj_2')) })]],
  ['another address has made it', [projectCreated({ creator: address('9') })]],
  ['the token is elsewhere', [projectCreated({ token: address('9') })]],
  ['the curve is elsewhere', [projectCreated({ curve: address('9') })]],
  ['the supply is another', [projectCreated({ supply: 1000n })]],
])('undefined where %s', (_, logs) => {
  expect(readDeploy(chain, activation, sender, logs)).toBeUndefined()
})

test('undefined before addresses were predicted', () => {
  const early = { ...activation, predicted: null }
  expect(readDeploy(chain, early, sender, [projectCreated()])).toBeUndefined()
})
