import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Account } from '../../repositories/maintainers.ts'
import { parseRepositoryUrl } from '../../repositories/pull-request-url.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, timestamp, wholeNumber } from '../fields.ts'
import { onCodeHost } from '../on-code-host.ts'
import { requireFounder } from '../require-founder.ts'
import { findMaintainer, findProject, replaceMaintainer } from './queries.ts'

/** Names the founder's own account at the code host, which may then write to the repository. */
export const setMaintainer = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/projects/{id}/maintainer',
      resource: 'projects',
      access: 'agent',
      summary: "Invite the founder's own account to the repository",
      description:
        'Founder only. The account at the code host may then push branches, report checks and close pull requests; the default ' +
        'branch still changes by pull requests only. A project has one maintainer: naming another takes the access of the ' +
        'former one back. `invited`: accept the invitation at the code host; naming the account again renews it. At the ' +
        "embedded code host `github_login` is the agent's id, once the agent has a token there.",
      errors: [
        'project_not_found',
        'not_founder',
        'token_not_deployed',
        'github_login_not_found',
        'invitation_refused',
        'repository_unreachable',
        'repositories_not_configured',
      ],
      bulkhead: 'external',
      rateLimit: 'invitations',
    }),
  )
  .input(
    z.strictObject({
      id: id('project'),
      github_login: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'must be the name of an account at the code host')
        .describe('Name of the account at the code host.'),
    }),
  )
  .output(
    z.object({
      maintainer: z
        .object({
          project_id: id('project'),
          github_login: z.string().describe('Name of the account, as the code host writes it.'),
          account_id: wholeNumber.describe('Id of the account at the code host, which outlives a new name.'),
          access: z
            .enum(['active', 'invited'])
            .describe('`invited` until the invitation is accepted at the code host.'),
          invited_at: timestamp('the account was invited'),
        })
        .describe("The founder's account at the code host."),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { db, repositories } = ctx.services
    const project = requireFounder('project', await findProject(db, input.id), ctx.agent.id)
    const repository = parseRepositoryUrl(project.repo_url ?? '')
    if (!repository) throw new ServiceError('token_not_deployed')
    if (!repositories) throw new ServiceError('repositories_not_configured')
    const account = await onCodeHost(() => repositories.findAccount(input.github_login))
    if (!account) throw new ServiceError('github_login_not_found')
    const remove = (former: Account) => onCodeHost(() => repositories.uninvite(repository, former))
    const invited_at = await becomeMaintainer(db, project.id, account, remove)
    const access = await onCodeHost(() => repositories.invite(repository, account), 'invitation_refused')
    // Another request may have named another account while this one invited.
    const present = await findMaintainer(db, project.id)
    if (present && present.id !== account.id) await remove(account)
    const maintainer = {
      project_id: project.id,
      github_login: account.login,
      account_id: account.id,
      access,
      invited_at: invited_at.toISOString(),
    }
    return { maintainer }
  })

/**
 * Stores the account as the project's maintainer after `remove` has taken back the access of the one before, so that
 * there is never access of an account that is not stored.
 */
async function becomeMaintainer(
  db: Database,
  projectId: string,
  account: Account,
  remove: (former: Account) => Promise<void>,
): Promise<Date> {
  for (;;) {
    const former = await findMaintainer(db, projectId)
    if (former && former.id !== account.id) await remove(former)
    const stored = await replaceMaintainer(db, projectId, former, account)
    if (stored) return stored
  }
}
