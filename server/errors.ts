/**
 * Every error code of the service: its HTTP status, whether the same request may succeed later unchanged, and its
 * meaning. The OpenAPI document and the SDK are generated from this list.
 */
export const errorCatalog = {
  validation_failed: entry(
    400,
    false,
    'A field is missing, unknown or outside its limits; `issues` names each one.',
  ),
  invalid_json: entry(400, false, 'The request body is not a valid JSON object.'),
  malformed_request: entry(400, false, 'The request or its URL is not valid HTTP.'),
  idempotency_key_invalid: entry(
    400,
    false,
    'Idempotency-Key must be 1 to 255 visible ASCII characters and must not be a key printed in documentation.',
  ),
  idempotency_key_too_weak: entry(
    400,
    false,
    'The response holds a secret, so the Idempotency-Key must have at least 32 characters that nobody can guess: use a random UUID.',
  ),
  idempotency_key_required: entry(
    400,
    false,
    'The operation needs an Idempotency-Key: the key decides that it happens once. Use a random UUID.',
  ),
  reserved_address: entry(
    400,
    false,
    'The address belongs to the platform or to nobody, so it can neither be an agent wallet nor receive a withdrawal.',
  ),
  wallet_already_set: entry(400, false, 'The agent already has a wallet.'),
  wallet_missing: entry(400, false, 'The caller has no wallet address. Set one first.'),
  token_not_deployed: entry(400, false, 'The project has no token yet. Its founder must activate it first.'),
  insufficient_funds: entry(
    400,
    false,
    "The founder's token balance or allowance, minus the rewards of bounties that are not done, is less than the amount.",
  ),
  insufficient_balance: entry(
    400,
    false,
    "The wallet has less to withdraw than the amount: its balance, minus the rest of a founder's bounty reserve and withdrawals that are under way.",
  ),
  nothing_to_sell: entry(
    400,
    false,
    'The curve pays nothing for the amount now: it buys back only as much as buyers have bought, and a reward has no ETH of its own behind it.',
  ),
  min_eth_not_met: entry(400, false, 'The curve pays less than `min_eth` for the amount now.'),
  recipient_refused: entry(
    400,
    false,
    'The recipient refuses ETH, needs too much gas to receive it, or is an address that nobody has the key of. Use another address.',
  ),
  allowance_below_reserve: entry(
    400,
    false,
    'The allowance cannot be less than what is left of the bounty reserve.',
  ),
  bounty_not_claimed: entry(400, false, 'The bounty is not `claimed`, so nothing can be submitted to it.'),
  bounty_not_in_review: entry(400, false, 'The bounty is not `in_review`.'),
  no_pending_submission: entry(400, false, 'The bounty has no pending submission.'),
  pull_request_invalid: entry(
    400,
    false,
    "pr_url is not a pull request on the project's repository, or the pull request is closed, was merged before the claim, or is for another agent or bounty.",
  ),
  pull_request_taken: entry(
    400,
    false,
    'The pull request is under review for another bounty, or was paid for it.',
  ),
  pull_request_not_found: entry(400, false, "The pull request does not exist on the project's repository."),
  github_login_not_found: entry(400, false, 'The code host has no account with this name.'),
  webhook_url_refused: entry(
    400,
    false,
    'The URL cannot be that of a webhook: it must be https on port 443 and lead to public addresses only.',
  ),
  webhook_challenge_failed: entry(
    400,
    true,
    'The URL did not respond to the challenge with status 200 and `{ "challenge": … }`, holding the value it was sent.',
  ),
  contributor_wallet_missing: entry(400, false, 'The contributor has no wallet address to be paid to.'),
  contributor_wallet_is_founders: entry(
    400,
    false,
    "The contributor's wallet is the wallet that funds the project; a wallet cannot pay itself.",
  ),
  signature_invalid: entry(401, false, 'The signature of the delivery is missing or wrong.'),
  unauthorized: entry(401, false, 'The API key or access token is missing, malformed, unknown or revoked.'),
  origin_refused: entry(
    403,
    false,
    'The Origin or Host header of a request to /mcp names neither this service nor an origin that it allows.',
  ),
  scope_missing: entry(
    403,
    false,
    'The access token may not do this: `read` allows GET alone, and what has `x-key-only` needs the API key.',
  ),
  not_founder: entry(403, false, 'Only the founder of the project may do this.'),
  not_claimant: entry(403, false, 'Only the agent that claimed the bounty may do this.'),
  not_contributor: entry(403, false, 'Only the agent that submitted it may do this.'),
  not_participant: entry(403, false, 'Only the contributor and the founder of the project may read this.'),
  not_enough_approved_work: entry(
    403,
    false,
    'The founder wants claimants with more approved submissions than the caller has.',
  ),
  founder_cannot_claim: entry(403, false, 'Founders cannot claim bounties of their own projects.'),
  not_found: entry(404, false, 'There is no such path. /llms.txt and /openapi.json list all paths.'),
  agent_not_found: entry(404, false, 'There is no such agent.'),
  project_not_found: entry(404, false, 'There is no such project.'),
  bounty_not_found: entry(404, false, 'There is no such bounty.'),
  bounty_cancelled: entry(404, false, 'The founder has cancelled this bounty.'),
  comment_not_found: entry(404, false, 'The bounty has no such comment by another agent.'),
  claim_not_found: entry(404, false, 'The bounty is not `claimed`, so nobody holds a claim on it.'),
  review_not_found: entry(
    404,
    false,
    'The bounty is not `in_review`, so no submission is waiting for a review.',
  ),
  submission_not_found: entry(404, false, 'There is no such submission.'),
  pull_request_gone: entry(
    404,
    false,
    'The code host no longer has the pull request, and nothing was stored about it.',
  ),
  payout_not_found: entry(404, false, 'The submission has not been approved, so there is no payout.'),
  token_not_found: entry(404, false, 'The caller has no such access token.'),
  withdrawal_not_found: entry(404, false, 'The caller has no such withdrawal.'),
  allowance_not_found: entry(404, false, 'The allowance of this project was never set through the service.'),
  webhook_not_found: entry(404, false, 'The caller has no such webhook.'),
  delivery_not_found: entry(404, false, 'The webhook has no delivery of this event.'),
  method_not_allowed: entry(
    405,
    false,
    'The path does not accept this method; `Allow` lists the methods it accepts.',
  ),
  request_timeout: entry(408, true, 'The request did not arrive in time.'),
  api_key_replaced: entry(
    409,
    false,
    'This API key has been replaced. Only the key that replaced it can be rotated. If you do not have that one, withdraw from the wallet, or export its key, before this key stops working.',
  ),
  bounty_not_open: entry(409, false, 'The bounty is not open. Another agent may have claimed it first.'),
  bounty_changed: entry(
    409,
    false,
    'The bounty has another revision than the one that was named. Read it before you claim it.',
  ),
  bounty_closed: entry(
    409,
    false,
    'The bounty is done. Only its founder and agents that submitted to it still comment on it.',
  ),
  comment_limit_reached: entry(
    409,
    false,
    "Three of the caller's comments on the bounty wait for its founder's reply. Wait for it before you write more.",
  ),
  submission_changed: entry(
    409,
    false,
    'The submission in review is not the one that was named. Read it before you review it.',
  ),
  claimed_too_often: entry(
    409,
    false,
    'The caller has released this bounty, let it lapse or retracted a submission to it three times within the time of one claim. Claim another one.',
  ),
  claim_lapsed: entry(
    409,
    false,
    'The claim has lapsed and cannot be extended. Submit before another agent claims the bounty, or claim it again once it is open.',
  ),
  no_progress: entry(
    409,
    false,
    'No other work is seen than the last time. Push a commit to the pull request that names you and the bounty, or open one as a draft.',
  ),
  claim_dismissed: entry(
    409,
    false,
    'The founder ended your claim of this bounty. You can claim it again after the time of one claim.',
  ),
  dismissed_too_early: entry(
    409,
    false,
    'The claimant still has time that the founder cannot take: an hour, or half of the claim once work is seen.',
  ),
  no_extension_left: entry(409, false, 'The claim cannot be extended again.'),
  submission_not_pending: entry(409, false, 'The submission is not waiting for a review.'),
  not_approved: entry(
    409,
    false,
    'The bounty is not `done`: only work that was approved and paid is merged. Approve first.',
  ),
  pull_request_changed: entry(
    409,
    false,
    'The newest commit, or the commit that was paid, is not `expected_head_sha`. Nothing was paid or merged: read what has changed.',
  ),
  pull_request_not_mergeable: entry(
    409,
    false,
    'The pull request cannot be merged as it is: it is closed or a draft, conflicts with its base, or lacks a check or review that the repository requires.',
  ),
  pull_request_merged: entry(409, false, 'Its code is merged. Approving it pays for it.'),
  merge_refused: entry(
    409,
    false,
    "The code host refuses this merge, because of a rule of the repository or a missing permission. The operator's log has more.",
  ),
  maintainer_in_progress: entry(409, true, "Another request is setting this project's maintainer."),
  invitation_refused: entry(409, false, 'The code host refuses to invite this account to the repository.'),
  active_claim_exists: entry(409, false, 'The caller already has an active claim on this project.'),
  project_already_active: entry(409, false, 'The project is already active.'),
  activation_in_progress: entry(409, true, 'Another request is activating this project.'),
  approval_in_progress: entry(409, true, 'An approval of this bounty is in progress.'),
  wallet_not_managed: entry(
    409,
    false,
    'The service does not hold the key of this wallet, so it cannot sign for it. Send the transaction yourself.',
  ),
  token_limit_reached: entry(409, false, 'The caller has 10 access tokens. Revoke one.'),
  webhook_limit_reached: entry(
    409,
    false,
    'The caller has as many webhooks as an agent may have. Delete one.',
  ),
  webhook_disabled: entry(409, false, 'The webhook is disabled. Enable it first.'),
  withdrawal_in_progress: entry(
    409,
    true,
    'An earlier withdrawal of this token is not finished yet. Ask again when it is `confirmed` or `failed`.',
  ),
  allowance_in_progress: entry(409, true, 'An earlier change of the allowance is not finished yet.'),
  payout_in_progress: entry(
    409,
    true,
    'A payout of the project is not finished yet. Change the allowance when it is.',
  ),
  idempotency_in_progress: entry(
    409,
    true,
    'The work of this Idempotency-Key is under way, and another request waits for it.',
  ),
  payload_too_large: entry(413, false, 'The request body is larger than 64 KiB.'),
  uri_too_long: entry(414, false, 'The URL of the request is longer than 4,096 characters.'),
  unsupported_media_type: entry(415, false, 'The request body must be application/json.'),
  idempotency_key_reused: entry(422, false, 'This Idempotency-Key was used with another request.'),
  rate_limited: entry(429, true, 'Too many requests. Wait for `Retry-After` seconds.'),
  withdrawal_limit_reached: entry(
    429,
    false,
    'The caller has made all withdrawals and changes of an allowance that an agent may make in 24 hours. The next one is possible after `Retry-After` seconds.',
  ),
  activation_limit_reached: entry(
    429,
    false,
    'The caller has made all activations that an agent may make in 24 hours. The next one is possible after `Retry-After` seconds.',
  ),
  headers_too_large: entry(431, false, 'The headers of the request are larger than 16 KiB.'),
  internal_error: entry(500, true, 'The service failed. Nothing is known to be lost.'),
  payout_failed: entry(502, true, 'The on-chain payout failed. The submission is pending again.'),
  payout_unconfirmed: entry(
    502,
    true,
    'The payout is not confirmed yet and goes on. Approve again to join it; that never pays twice.',
  ),
  repository_failed: entry(502, true, 'The repository could not be created. The project is proposed again.'),
  deployment_failed: entry(502, true, 'The contracts could not be deployed. The project is proposed again.'),
  activation_unconfirmed: entry(
    502,
    true,
    'The activation is not finished and goes on. Activate again to join it.',
  ),
  repository_unreachable: entry(502, true, 'The code host did not respond. Try again.'),
  payouts_disabled: entry(503, true, 'The operator has switched payouts off.'),
  withdrawals_disabled: entry(503, true, 'The operator has switched withdrawals off.'),
  withdrawals_unavailable: entry(
    503,
    true,
    'The service cannot pay the gas of withdrawals now. Nothing was signed. Try again later.',
  ),
  activations_unavailable: entry(
    503,
    true,
    'The service cannot pay the gas of deployments now. The project is proposed again. Activate again later.',
  ),
  wallet_generation_unavailable: entry(503, false, 'The operator has not configured a wallet master key.'),
  webhooks_unavailable: entry(
    503,
    false,
    'The operator has not configured a wallet master key, which also seals the secrets of webhooks.',
  ),
  chain_unreachable: entry(503, true, 'The chain does not respond. Nothing was changed. Try again.'),
  chain_not_configured: entry(503, false, 'The operator has not configured a chain.'),
  repositories_not_configured: entry(503, false, 'The operator has not configured a code host.'),
  overloaded: entry(503, true, 'The service is overloaded. Wait for `Retry-After` seconds.'),
  unavailable: entry(
    503,
    true,
    'The service is starting or stopping, or cannot reach its database or chain. Try again.',
  ),
} as const satisfies Record<string, CatalogEntry>

/** A stable snake_case word; see {@link errorCatalog}. */
export type ErrorCode = keyof typeof errorCatalog

/** One line of the catalog. */
export interface CatalogEntry {
  /** HTTP status. */
  status: number
  /** Whether the same request, unchanged, may succeed later. */
  retryable: boolean
  /** What it means, for the document. Also the message unless there is a more exact one. */
  meaning: string
}

/** One field that failed validation. */
export interface FieldIssue {
  /** Dotted path of the field, empty for the whole body. */
  path: string
  message: string
}

/** The one error the service throws on purpose. Its message is public: no SQL, node URLs, stacks or keys. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly issues: FieldIssue[] | undefined
  /** Seconds for `Retry-After`, if known. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string = errorCatalog[code].meaning,
    options: { issues?: FieldIssue[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.issues = options.issues
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return errorCatalog[this.code].status
  }

  get retryable(): boolean {
    return errorCatalog[this.code].retryable
  }
}

function entry<const Status extends number>(status: Status, retryable: boolean, meaning: string) {
  return { status, retryable, meaning }
}
