import { type Abi, decodeErrorResult, encodeErrorResult, getAbiItem } from 'viem'
import { describe, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { serve } from '../serve.ts'

const market = await createTestMarket({ engines: false })

interface ContractsDocument {
  chain_id: number | null
  contracts: Record<
    'project_token' | 'bonding_curve' | 'platform_wallet' | 'project_factory',
    { address: `0x${string}`; abi: Abi }
  >
  errors: Abi
}
const read = async (response: Response) => (await response.json()) as ContractsDocument
const get = (baseUrl = market.baseUrl) => fetch(`${baseUrl}/contracts.json`)

describe('GET /contracts.json', () => {
  test('200 with the ABIs and addresses of this deployment', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { chain_id, contracts } = await read(response)
    const { platformWallet, projectFactory, tokenImplementation, curveImplementation } = market.chain
    expect(chain_id).toBe(31_337)
    expect(contracts).toEqual({
      project_token: { implementation: tokenImplementation, abi: expect.any(Array) },
      bonding_curve: { implementation: curveImplementation, abi: expect.any(Array) },
      platform_wallet: { address: platformWallet, abi: expect.any(Array) },
      project_factory: { address: projectFactory, abi: expect.any(Array) },
    })
    const paused = await market.chain.node.readContract({
      ...contracts.platform_wallet,
      functionName: 'paused',
    })
    expect(paused).toBe(false)
  })

  test('200 with every error, so that any revert can be read', async () => {
    const { contracts, errors } = await read(await get())
    for (const { abi } of Object.values(contracts))
      for (const item of abi.filter(({ type }) => type === 'error'))
        expect(errors).toContainEqual(JSON.parse(JSON.stringify(item)))
    const data = encodeErrorResult({ abi: errors, errorName: 'ReserveLocked', args: [5n] })
    expect(decodeErrorResult({ abi: contracts.project_token.abi, data })).toMatchObject({ args: [5n] })
    expect(getAbiItem({ abi: contracts.bonding_curve.abi, name: 'ExceedsSold' })).toBeDefined()
  })

  test('200 without addresses where no chain is connected', async () => {
    const served = await serve()
    const { chain_id, contracts } = await read(await get(served.baseUrl))
    expect(chain_id).toBeNull()
    expect(contracts.platform_wallet.address).toBeNull()
    expect(contracts.platform_wallet.abi.length).toBeGreaterThan(10)
  })

  test.each(['/skill.md', '/llms.txt'])('%s leads to it', async (path) => {
    const text = await (await fetch(market.baseUrl + path)).text()
    expect(text).toContain(`${market.baseUrl}/contracts.json`)
  })
})
