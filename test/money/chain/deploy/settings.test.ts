import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../../../server/config/config.ts'
import { readDeploySettings } from '../../../../server/money/chain/deploy/settings.ts'

const someone = () => privateKeyToAccount(generatePrivateKey()).address

describe('settings', () => {
  const good = { CHAIN_RPC_URL: 'http://node', CHAIN_ID: '8453', DEPLOYER_PRIVATE_KEY: generatePrivateKey() }

  test.each([
    ['CHAIN_RPC_URL', undefined],
    ['CHAIN_ID', undefined],
    ['CHAIN_ID', 'base'],
    ['DEPLOYER_PRIVATE_KEY', '0xnotakey'],
    ['OPERATOR_PRIVATE_KEYS', '0xnotakey'],
    ['OPERATOR_ADDRESSES', 'nobody'],
    ['OWNER_ADDRESS', '0x12'],
    ['TREASURY_ADDRESS', 'nobody'],
    ['TREASURY_ADDRESS', '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'],
    ['CURVE_FEE_BPS', '1.5'],
    ['DOLLAR_ADDRESS', 'usdc'],
    ['DOLLAR_DAILY_CAP', '0'],
    ['DOLLAR_DAILY_CAP', '12.5'],
    ['CHAIN_PRESET', 'moon'],
    ['DEPLOYER_PRIVATE_KEY_FILE', '/nowhere'],
  ])('%s=%s is refused: the error names the setting and omits the value', (name, value) => {
    const read = () => readDeploySettings({ ...good, [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
    if (value) expect(read).not.toThrow(value)
  })

  test('are read', () => {
    const operatorKey = generatePrivateKey()
    const listed = someone()
    const treasury = someone()
    const dollar = someone()
    const settings = readDeploySettings({
      ...good,
      OPERATOR_PRIVATE_KEYS: operatorKey,
      OPERATOR_ADDRESSES: listed.toLowerCase(),
      TREASURY_ADDRESS: treasury,
      BOUNTY_RESERVE_BPS: '2000',
      DOLLAR_ADDRESS: dollar.toLowerCase(),
      DOLLAR_DAILY_CAP: '250',
    })
    expect(settings).toEqual({
      rpcUrl: 'http://node',
      expectedChainId: 8453,
      deployerPrivateKey: good.DEPLOYER_PRIVATE_KEY,
      owner: privateKeyToAccount(good.DEPLOYER_PRIVATE_KEY).address,
      treasury,
      bountyReserveBps: 2000,
      curveFeeBps: 100,
      startFdv: 10n ** 18n,
      endFdv: 100n * 10n ** 18n,
      dollar,
      dollarDailyCap: 250_000_000n,
      operators: [listed, privateKeyToAccount(operatorKey).address],
    })
  })

  test('CHAIN_PRESET supplies chain and node, and an explicit setting overrides it', () => {
    const { CHAIN_RPC_URL: _, CHAIN_ID: __, ...keys } = good
    const preset = readDeploySettings({ ...keys, CHAIN_PRESET: 'base-sepolia' })
    expect(preset).toMatchObject({ expectedChainId: 84_532, rpcUrl: 'https://sepolia.base.org' })
    const own = readDeploySettings({
      ...keys,
      CHAIN_PRESET: 'base-sepolia',
      CHAIN_RPC_URL: 'http://a,http://b',
    })
    expect(own).toMatchObject({ expectedChainId: 84_532, rpcUrl: 'http://a' })
  })
})
