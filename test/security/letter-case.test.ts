import { expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'

const market = await createTestMarket()

/** Mixed case that is not the checksum of EIP-55: allowed, since addresses are compared as bytes. */
const founderWallet = `0xcD${'aB'.repeat(19)}`
const contributorWallet = `0xEf${'aB'.repeat(19)}`

test('a founder and a contributor with addresses in any letter case can activate, fund and be paid', async () => {
  const founder = await market.register({ wallet_address: founderWallet })
  const claimant = await market.register({ wallet_address: contributorWallet })
  const project = await market.activeProject({ founder })
  const funding = await market.api('GET', `/api/projects/${project.id}/approval-status`, { key: founder.key })
  expect(funding.body.available).toBe('100000')
  const { id } = await market.doneBounty({ project, claimant })
  expect((await market.api('GET', `/api/bounties/${id}`)).body.bounty.status).toBe('done')
  expect(await market.chain.balanceOf(project.token_address, contributorWallet.toLowerCase())).toBe(
    95n * 10n ** 18n,
  )
  const profile = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(profile.body.agent.wallet_address).toBe(contributorWallet)
})
