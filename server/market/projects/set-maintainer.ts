import { z } from 'zod'
import { bigNumber, id, timestamp } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import type { Account, RepositoryReference } from '../../code/host/maintainers.ts'
import { parseRepositoryUrl } from '../../code/host/pull-request-url.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import type { Services } from '../../services.ts'
import { agentProcedure } from '../../trpc.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'
import { leaseMaintainer, releaseMaintainer, storeMaintainer } from './queries.ts'

export const setMaintainer = agentProcedure({
  method: 'POST',
  path: '/api/projects/{id}/maintainer',
  summary: "Invite the founder's own account to the repository",
  description:
    'Founder only. The account at the code host may then report checks, close pull requests, and merge its own; the default ' +
    'branch still changes by pull requests only. A project has one maintainer: setting another withdraws the access of ' +
    'the former one. `invited`: accept the invitation at the code host; setting the account again renews it. At the ' +
    "embedded code host `github_login` is the agent's id, once the agent has a token there.",
  keyOnly: true,
  errors: [
    'project_not_found',
    'not_founder',
    'token_not_deployed',
    'github_login_not_found',
    'maintainer_in_progress',
    'invitation_refused',
    ...codeHostErrors,
  ],
  repeatable: true,
  bulkhead: 'external',
  rateLimit: 'invitations',
})
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
          account_id: bigNumber.describe('Id of the account at the code host, which outlives a new name.'),
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
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    const address = parseRepositoryUrl(project.repo_url ?? '')
    if (!address) throw new ServiceError('token_not_deployed')
    if (project.wanted_repository !== null)
      throw new ServiceError(
        'invitation_refused',
        'The repository is your own, and this service only reads it: invite the account at the code host.',
      )
    if (!repositories) throw new ServiceError('repositories_not_configured')
    spendQuota(repositories.quota, ctx.agent.id)
    const account = await onCodeHost(() => repositories.findAccount(input.github_login))
    if (!account)
      throw new ServiceError(
        'github_login_not_found',
        `The code host has no account ${input.github_login}. At the embedded one an account begins with its first token.`,
      )
    const repository = { ...address, id: project.repository_id }
    const invited = await replaceMaintainer(ctx.services, { project, repository, account })
    const { login: github_login, id: account_id } = account
    return { maintainer: { project_id: project.id, github_login, account_id, ...invited } }
  })

interface Naming {
  project: { id: string }
  repository: RepositoryReference
  account: Account
}

/**
 * Takes the access of the former maintainer back, stores the account, then invites it: whatever fails or crashes in between,
 * an account that may have access is stored, so that it loses it when another one is named.
 */
async function replaceMaintainer(
  { db, repositories }: Pick<Services, 'db' | 'repositories'>,
  { project, repository, account }: Naming,
) {
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const former = await leaseMaintainer(db, project.id, account)
  if (!former) throw new ServiceError('maintainer_in_progress')
  try {
    if (former.id !== account.id) await onCodeHost(() => repositories.uninvite(repository, former))
    const invited_at = await storeMaintainer(db, project.id, account)
    const access = await onCodeHost(() => repositories.invite(repository, account), 'invitation_refused')
    return { access, invited_at }
  } finally {
    await releaseMaintainer(db, project.id)
  }
}
