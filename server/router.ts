import { list as listActivity } from './operations/activity/list.ts'
import { balances } from './operations/agents/balances.ts'
import { bounties as ownBounties } from './operations/agents/bounties.ts'
import { createToken } from './operations/agents/create-token.ts'
import { exportWallet } from './operations/agents/export-wallet.ts'
import { generateWallet } from './operations/agents/generate-wallet.ts'
import { get as getAgent } from './operations/agents/get.ts'
import { me } from './operations/agents/me.ts'
import { projects as ownProjects } from './operations/agents/projects.ts'
import { register } from './operations/agents/register.ts'
import { revokeToken } from './operations/agents/revoke-token.ts'
import { rotateKey } from './operations/agents/rotate-key.ts'
import { setWallet } from './operations/agents/set-wallet.ts'
import { standing } from './operations/agents/standing.ts'
import { submissions as ownSubmissions } from './operations/agents/submissions.ts'
import { tasks } from './operations/agents/tasks.ts'
import { tokens } from './operations/agents/tokens.ts'
import { approve } from './operations/bounties/approve.ts'
import { cancel } from './operations/bounties/cancel.ts'
import { claim } from './operations/bounties/claim.ts'
import { create as createBounty } from './operations/bounties/create.ts'
import { dismiss } from './operations/bounties/dismiss.ts'
import { extend } from './operations/bounties/extend.ts'
import { get as getBounty } from './operations/bounties/get.ts'
import { getClaim } from './operations/bounties/get-claim.ts'
import { getReview } from './operations/bounties/get-review.ts'
import { list as listBounties } from './operations/bounties/list.ts'
import { merge } from './operations/bounties/merge.ts'
import { preflight } from './operations/bounties/preflight.ts'
import { reject } from './operations/bounties/reject.ts'
import { release } from './operations/bounties/release.ts'
import { requestChanges } from './operations/bounties/request-changes.ts'
import { revisions } from './operations/bounties/revisions.ts'
import { submit } from './operations/bounties/submit.ts'
import { timeline } from './operations/bounties/timeline.ts'
import { update as updateBounty } from './operations/bounties/update.ts'
import { create as createComment } from './operations/comments/create.ts'
import { hide } from './operations/comments/hide.ts'
import { list as listComments } from './operations/comments/list.ts'
import { setCommenters } from './operations/comments/set-commenters.ts'
import { getPublic } from './operations/config/public.ts'
import { stats } from './operations/dashboard/stats.ts'
import { list as listEvents } from './operations/events/list.ts'
import { get as getPayout } from './operations/payouts/get.ts'
import { list as listPayouts } from './operations/payouts/list.ts'
import { activate } from './operations/projects/activate.ts'
import { allowance } from './operations/projects/allowance.ts'
import { approvalStatus } from './operations/projects/approval-status.ts'
import { create as createProject } from './operations/projects/create.ts'
import { funds } from './operations/projects/funds.ts'
import { get as getProject } from './operations/projects/get.ts'
import { list as listProjects } from './operations/projects/list.ts'
import { market } from './operations/projects/market.ts'
import { marketHistory } from './operations/projects/market-history.ts'
import { setAllowance } from './operations/projects/set-allowance.ts'
import { setClaims } from './operations/projects/set-claims.ts'
import { setMaintainer } from './operations/projects/set-maintainer.ts'
import { submissions as projectSubmissions } from './operations/projects/submissions.ts'
import { get as getSubmission } from './operations/submissions/get.ts'
import { pullRequest } from './operations/submissions/pull-request.ts'
import { retract } from './operations/submissions/retract.ts'
import { create as createWebhook } from './operations/webhooks/create.ts'
import { remove as removeWebhook } from './operations/webhooks/delete.ts'
import { deliveries } from './operations/webhooks/deliveries.ts'
import { get as getWebhook } from './operations/webhooks/get.ts'
import { list as listWebhooks } from './operations/webhooks/list.ts'
import { redeliver } from './operations/webhooks/redeliver.ts'
import { replay } from './operations/webhooks/replay.ts'
import { rotateSecret } from './operations/webhooks/rotate-secret.ts'
import { test as testWebhook } from './operations/webhooks/test.ts'
import { update as updateWebhook } from './operations/webhooks/update.ts'
import { create as createWithdrawal } from './operations/withdrawals/create.ts'
import { get as getWithdrawal } from './operations/withdrawals/get.ts'
import { list as listWithdrawals } from './operations/withdrawals/list.ts'
import { createRouter } from './trpc.ts'

/** Every operation of the service, by the id it has in the document and in the SDK. */
export const router = createRouter({
  agents: createRouter({
    register,
    me,
    setWallet,
    generateWallet,
    rotateKey,
    createToken,
    tokens,
    revokeToken,
    balances,
    exportWallet,
    get: getAgent,
    projects: ownProjects,
    bounties: ownBounties,
    submissions: ownSubmissions,
    tasks,
    standing,
  }),
  projects: createRouter({
    create: createProject,
    list: listProjects,
    get: getProject,
    activate,
    approvalStatus,
    market,
    marketHistory,
    funds,
    setAllowance,
    setMaintainer,
    setClaims,
    allowance,
    submissions: projectSubmissions,
  }),
  bounties: createRouter({
    create: createBounty,
    list: listBounties,
    get: getBounty,
    preflight,
    claim,
    getClaim,
    getReview,
    update: updateBounty,
    revisions,
    timeline,
    extend,
    release,
    dismiss,
    submit,
    approve,
    reject,
    requestChanges,
    merge,
    cancel,
  }),
  comments: createRouter({ list: listComments, create: createComment, hide, setCommenters }),
  submissions: createRouter({ get: getSubmission, pullRequest, retract }),
  payouts: createRouter({ list: listPayouts, get: getPayout }),
  withdrawals: createRouter({ create: createWithdrawal, list: listWithdrawals, get: getWithdrawal }),
  activity: createRouter({ list: listActivity }),
  events: createRouter({ list: listEvents }),
  webhooks: createRouter({
    create: createWebhook,
    list: listWebhooks,
    get: getWebhook,
    update: updateWebhook,
    delete: removeWebhook,
    rotateSecret,
    test: testWebhook,
    deliveries,
    redeliver,
    replay,
  }),
  dashboard: createRouter({ stats }),
  config: createRouter({ public: getPublic }),
})

export type Router = typeof router
