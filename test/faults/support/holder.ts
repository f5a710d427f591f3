import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Environment } from './environment.ts'
import { ask, type ReceivedResponse } from './founder.ts'
import type { Random } from './random.ts'

/** An agent withdraws until it has a final response, and then reads the withdrawal until it is confirmed or failed. */
export async function withdraw(
  environment: Environment,
  random: Random,
  tokens: number,
  listen: (response: ReceivedResponse) => void,
  signal: AbortSignal,
): Promise<void> {
  const { holder, projects } = environment.fixture
  const to = privateKeyToAccount(generatePrivateKey()).address
  environment.withdrawals.set(to, { tokens })
  const path = '/api/agents/me/withdrawals'
  const body = { project_id: projects[holder.project]!.id, amount: String(tokens), to, as: 'tokens' }
  const request = { idempotencyKey: `withdrawal-${to}`, body }
  while (!signal.aborted) {
    const created = await ask(environment, random, { path, founderKey: holder.key }, request)
    listen({ path, status: created.status, code: created.body?.error?.code ?? null })
    const error = created.body?.error
    if (error && !error.retryable) return void environment.violations.push(`a withdrawal got ${error.code}`)
    const { id, status } = created.body?.withdrawal ?? {}
    // The same key returns what became of the withdrawal.
    if (id && (status === 'confirmed' || status === 'failed'))
      return void environment.withdrawals.set(to, { tokens, reported: status })
    await delay(random.int(50, 200))
  }
}
