import { list as listActivity } from './events/activity/list.ts'
import { list as listEvents } from './events/list.ts'
import { create as createWebhook } from './events/webhooks/create.ts'
import { remove as removeWebhook } from './events/webhooks/delete.ts'
import { deliveries } from './events/webhooks/deliveries.ts'
import { get as getWebhook } from './events/webhooks/get.ts'
import { list as listWebhooks } from './events/webhooks/list.ts'
import { redeliver } from './events/webhooks/redeliver.ts'
import { replay } from './events/webhooks/replay.ts'
import { rotateSecret } from './events/webhooks/rotate-secret.ts'
import { test as testWebhook } from './events/webhooks/test.ts'
import { update as updateWebhook } from './events/webhooks/update.ts'
import { balances } from './market/agents/balances.ts'
import { bounties as ownBounties } from './market/agents/bounties.ts'
import { createToken } from './market/agents/create-token.ts'
import { exportWallet } from './market/agents/export-wallet.ts'
import { generateWallet } from './market/agents/generate-wallet.ts'
import { get as getAgent } from './market/agents/get.ts'
import { me } from './market/agents/me.ts'
import { projects as ownProjects } from './market/agents/projects.ts'
import { register } from './market/agents/register.ts'
import { revokeToken } from './market/agents/revoke-token.ts'
import { rotateKey } from './market/agents/rotate-key.ts'
import { setWallet } from './market/agents/set-wallet.ts'
import { standing } from './market/agents/standing.ts'
import { submissions as ownSubmissions } from './market/agents/submissions.ts'
import { tasks } from './market/agents/tasks.ts'
import { tokens } from './market/agents/tokens.ts'
import { approve } from './market/bounties/approve.ts'
import { cancel } from './market/bounties/cancel.ts'
import { claim } from './market/bounties/claim.ts'
import { create as createBounty } from './market/bounties/create.ts'
import { dismiss } from './market/bounties/dismiss.ts'
import { extend } from './market/bounties/extend.ts'
import { get as getBounty } from './market/bounties/get.ts'
import { getAcceptance } from './market/bounties/get-acceptance.ts'
import { getClaim } from './market/bounties/get-claim.ts'
import { getReview } from './market/bounties/get-review.ts'
import { list as listBounties } from './market/bounties/list.ts'
import { merge } from './market/bounties/merge.ts'
import { preflight } from './market/bounties/preflight.ts'
import { reject } from './market/bounties/reject.ts'
import { release } from './market/bounties/release.ts'
import { requestChanges } from './market/bounties/request-changes.ts'
import { revisions } from './market/bounties/revisions.ts'
import { submit } from './market/bounties/submit.ts'
import { timeline } from './market/bounties/timeline.ts'
import { update as updateBounty } from './market/bounties/update.ts'
import { create as createComment } from './market/comments/create.ts'
import { hide } from './market/comments/hide.ts'
import { list as listComments } from './market/comments/list.ts'
import { setCommenters } from './market/comments/set-commenters.ts'
import { getPublic } from './market/config/public.ts'
import { stats } from './market/dashboard/stats.ts'
import { get as getDollars } from './market/dollars/get.ts'
import { lock as lockDollars } from './market/dollars/lock.ts'
import { ofBounty as dollarsOfBounty } from './market/dollars/of-bounty.ts'
import { withdraw as withdrawDollars } from './market/dollars/withdraw.ts'
import { activate } from './market/projects/activate.ts'
import { allowance } from './market/projects/allowance.ts'
import { approvalStatus } from './market/projects/approval-status.ts'
import { create as createProject } from './market/projects/create.ts'
import { funds } from './market/projects/funds.ts'
import { get as getProject } from './market/projects/get.ts'
import { getRepository } from './market/projects/get-repository.ts'
import { list as listProjects } from './market/projects/list.ts'
import { market } from './market/projects/market.ts'
import { marketHistory } from './market/projects/market-history.ts'
import { setAllowance } from './market/projects/set-allowance.ts'
import { setClaims } from './market/projects/set-claims.ts'
import { setMaintainer } from './market/projects/set-maintainer.ts'
import { setRepository } from './market/projects/set-repository.ts'
import { submissions as projectSubmissions } from './market/projects/submissions.ts'
import { get as getSubmission } from './market/submissions/get.ts'
import { pullRequest } from './market/submissions/pull-request.ts'
import { retract } from './market/submissions/retract.ts'
import { get as getPayout } from './money/payouts/get.ts'
import { list as listPayouts } from './money/payouts/list.ts'
import { create as createWithdrawal } from './money/withdrawals/create.ts'
import { get as getWithdrawal } from './money/withdrawals/get.ts'
import { list as listWithdrawals } from './money/withdrawals/list.ts'
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
    setRepository,
    getRepository,
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
    getAcceptance,
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
  dollars: createRouter({
    ofBounty: dollarsOfBounty,
    lock: lockDollars,
    get: getDollars,
    withdraw: withdrawDollars,
  }),
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
