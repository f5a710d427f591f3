import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Random } from '../../support/random.ts'
import type { Environment } from './environment.ts'
import type { FixtureSubmission } from './fixture.ts'
import { ask, type FounderResponse } from './founder.ts'

/**
 * Another contributor registers, claims an open bounty and submits. Resolves with the new submission, or with undefined
 * where the service refuses one of these.
 *
 * @param work the work on that bounty whose review has ended
 */
export async function registerContributor(
  environment: Environment,
  random: Random,
  work: FixtureSubmission,
): Promise<FixtureSubmission | undefined> {
  const call = (path: string, key: string, body?: unknown) =>
    answered(() => ask(environment, random, { path, founderKey: key }, { body }))
  const wallet = privateKeyToAccount(generatePrivateKey()).address
  const registered = await call('/api/agents/register', '', { name: 'Grace', wallet_address: wallet })
  const contributorKey = registered.body.agent?.api_key as string | undefined
  if (!contributorKey) return undefined
  await environment.wallets.change(contributorKey, wallet, async () => registered.status)
  const { status } = await call(`/api/bounties/${work.bountyId}/claim`, contributorKey)
  if (status !== 200) return undefined
  return submitAgain(environment, random, { ...work, contributorKey, wallet })
}

/**
 * The contributor of `work` submits to its bounty, which it holds. Resolves with the new submission, or with undefined where
 * the service refuses it.
 */
export async function submitAgain(
  environment: Environment,
  random: Random,
  work: FixtureSubmission,
  number = random.int(100, 1e6),
): Promise<FixtureSubmission | undefined> {
  const { repoUrl } = environment.fixture.projects[work.project]!
  const pr_url = `${repoUrl}/pull/${number}`
  const request = { path: `/api/bounties/${work.bountyId}/submit`, founderKey: work.contributorKey }
  const { body } = await answered(() => ask(environment, random, request, { body: { pr_url } }))
  const id = body.submission?.id as string | undefined
  return id === undefined ? undefined : { ...work, id }
}

/** Asks until there is a response that does not ask for another try. */
async function answered(askOnce: () => Promise<FounderResponse>): Promise<FounderResponse> {
  for (;;) {
    const response = await askOnce()
    if (response.status !== 0 && response.body?.error?.retryable !== true) return response
    await delay(100)
  }
}
