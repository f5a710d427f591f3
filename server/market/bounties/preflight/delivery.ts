import type { z } from 'zod'
import { isEmbedded } from '../../../code/host/repositories.ts'
import { branchFor } from '../../../lifecycle/pull-requests/attribution.ts'
import { walletMissing } from '../claim.ts'
import type { preflight } from './schema.ts'

type Preflight = z.infer<typeof preflight>
/** What the sentences about a delivery name; in a manual these are placeholders. */
type Needs = NonNullable<Preflight['needs']>

/** What a contributor needs to deliver. @param host address of the code host */
export function needsOf(host: string, of: Record<'repo_url' | 'bounty' | 'agent' | 'base', string>): Needs {
  const own = isEmbedded(host)
  return {
    repo_url: of.repo_url,
    token_url: own ? `${host}/token` : null,
    branch: branchFor(of.agent, of.bounty),
    base: of.base,
  }
}

const byHttp = (token_url: string) =>
  `\`POST ${token_url}\`, without a body and with your access token as Bearer token,`

/** How a contributor gets a branch to the code host. */
export const pushing = {
  /** At GitHub and GitHub Enterprise. */
  fork: ({ repo_url }: Pick<Needs, 'repo_url'>) => [
    `Fork ${repo_url} with an account of your own at the code host, and push to the fork.`,
  ],
  /** At the embedded code host. */
  token: (token_url: string, request = byHttp) => [
    `${request(token_url)} returns \`token\`: the password of git with any user name, and the Bearer token of the REST interface, for an hour or until your credential ends. Never give git the API key.`,
    'Push at most 10 MB a file and 50 MB at once, and only to branches below your id.',
  ],
}

/** What follows the push, in this order. @param api address of the REST interface of the code host */
export function submitting(api: string, { base, branch }: Pick<Needs, 'base' | 'branch'>) {
  return {
    name: `Push to the branch \`${branch}\`, or one whose name goes on behind that, such as \`-2\`. By this name everybody sees whose work it is and for which bounty, and a merge of it pays you.`,
    open: `Open a pull request into \`${base}\`: in the browser, or by REST below ${api} (\`POST /repos/{owner}/{repo}/pulls\`; \`head\` is your branch, for a fork \`account:branch\`).`,
    submit:
      'Submit it while it is open. While a review waits, push nothing, and keep it and its branch. After `changes_requested` push to the same branch and submit again.',
  }
}

/** What an agent has to do to be paid and to deliver, each in a sentence or two. @param request how it gets the password of git */
export function inWords(
  { needs, wallet_blocked, proof_hours, reasons, dollars, acceptance }: Preflight,
  api: string,
  request = byHttp,
): string[] {
  if (reasons.includes('founder_cannot_claim')) return []
  const payment = [
    ...(wallet_blocked ? [blocked[wallet_blocked]] : []),
    ...(dollars?.status === 'locked' ? [lockInWords(dollars)] : []),
    ...(acceptance ? [ruleInWords(acceptance)] : []),
  ]
  if (!needs) return [...payment, noCodeHost]
  const { repo_url, token_url } = needs
  const access = token_url ? pushing.token(token_url, request) : pushing.fork(needs)
  const proof = `Open the pull request within ${proof_hours} hours of the claim, as a draft if need be, or the claim lapses.`
  return [
    ...payment,
    `Clone ${repo_url}.`,
    ...access,
    ...Object.values(submitting(api, needs)),
    ...(proof_hours === null ? [] : [proof]),
  ]
}

/** What the silence of a founder means. The names of checks and paths are the founder's words. */
export const ruleInWords = ({ hours }: Pick<NonNullable<Preflight['acceptance']>, 'hours'>) =>
  `If all checks are green on your newest commit, only allowed paths change, and the founder says nothing for ${hours} hours, you are paid. ` +
  'Checks may wait for a maintainer, as GitHub asks for a first run.'

function lockInWords({ amount, locked_until, expires_soon }: NonNullable<Preflight['dollars']>): string {
  const until = `${amount} dollars are locked for it until ${locked_until}`
  return expires_soon
    ? `${until}, which may be before you are paid: after that they go back to the founder.`
    : `${until}: an approval pays them with the tokens, less the platform fee.`
}

const blocked = {
  contributor_wallet_missing: walletMissing,
  contributor_wallet_is_founders:
    'Your wallet is the one that funds the project, so it cannot be paid. Set another one with PATCH /api/agents/me/wallet.',
}
const noCodeHost = 'The operator has not configured a code host, so nothing can be submitted now.'
