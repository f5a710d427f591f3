import type { z } from 'zod'
import type { Caller } from '../../../auth/api-keys.ts'
import { isNamed, isSamePoster } from '../../../code/host/acceptance-facts.ts'
import { parseRepositoryUrl } from '../../../code/host/pull-request-url.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import type { AcceptanceRule } from '../../../lifecycle/acceptance.ts'
import { codeHostErrors } from '../../../lifecycle/declared-errors.ts'
import { onCodeHost, spendQuota } from '../../on-code-host.ts'
import type { wantedRule } from './schema.ts'

/** What setting a rule can end with. */
export const pinErrors = ['check_not_found', 'check_not_trusted', ...codeHostErrors] as const

/** Longest reading, in ms. */
const mostMs = 10_000

/**
 * The rule with who posts each check, as the newest commit of the default branch shows it.
 * @throws ServiceError one of {@link pinErrors}, or `rate_limited`
 */
export async function pinRule<Wanted extends z.infer<typeof wantedRule> | undefined>(
  { services, agent }: Context & { agent: Caller },
  projectId: string,
  wanted: Wanted,
): Promise<AcceptanceRule | Exclude<Wanted, object>> {
  if (wanted === null || wanted === undefined) return wanted as Exclude<Wanted, object>
  const { db, repositories } = services
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const { repo_url, repository_id: id } = await db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select(['repo_url', 'repository_id'])
    .executeTakeFirstOrThrow()
  spendQuota(repositories.quotaOf(repo_url), agent.id)
  const place = parseRepositoryUrl(repo_url ?? '')
  if (!place) throw new ServiceError('repositories_not_configured')
  const posted = await onCodeHost(() => repositories.readDefaultChecks({ ...place, id }, mostMs))
  const checks = wanted.checks.map((name) => {
    const named = posted.filter((one) => isNamed(one, name))
    const [first] = named
    if (first && named.some(({ posted_by }) => !isSamePoster(posted_by, first.posted_by)))
      throw new ServiceError('check_not_trusted')
    if (!first || named.some(({ state }) => state !== 'success')) throw new ServiceError('check_not_found')
    return { name, posted_by: first.posted_by }
  })
  return { ...wanted, checks }
}
