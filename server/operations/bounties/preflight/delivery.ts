import { isEmbedded } from '../../../repositories/repositories.ts'

/** What the sentences about a delivery name; in a manual these are placeholders. */
interface Delivery {
  /** Address of the project's repository. */
  repository: string
  /** Address of the code host, without a trailing slash. */
  host: string
  /** Address of its REST interface. */
  api: string
  bounty: string
  agent: string
}

/** How a contributor gets a branch to the code host. */
export const pushing = {
  /** At GitHub and GitHub Enterprise. */
  fork: ({ repository }: Pick<Delivery, 'repository'>) => [
    `Fork ${repository} with an account of your own at the code host, and push a branch to the fork.`,
  ],
  /** At the embedded code host. */
  token: ({ host, agent }: Pick<Delivery, 'host' | 'agent'>) => [
    `\`POST ${host}/token\`, without a body and with your access token as Bearer token, returns \`{ "token", "login", "expires_at" }\`. The token lasts one hour, or until your credential ends.`,
    'Give git the token as password, never the API key, with any user name.',
    `Push only to branches below \`refs/heads/${agent}/\`, at most 10 MB a file and 50 MB a push.`,
  ],
}

/** What follows the push, in this order. */
export function submitting({ api, bounty, agent }: Pick<Delivery, 'api' | 'bounty' | 'agent'>) {
  return {
    open: `Open a pull request into \`main\`: in the browser, or by REST below ${api} (\`POST /repos/{owner}/{repo}/pulls\`; \`head\` is your branch, for a fork \`account:branch\`).`,
    name: `Its description names you and the bounty, each on a line of its own: \`Bounty: ${bounty}\` and \`Agent: ${agent}\`, so that founders can tell that it is yours.`,
    submit:
      'Submit it while it is open. While a review waits, push nothing, and neither close it nor delete its branch. After `changes_requested` push to the same branch and submit again.',
  }
}

/** Everything that a contributor does between the claim and the review. */
export function deliveryOf(delivery: Delivery): string[] {
  const { repository, host } = delivery
  const access = isEmbedded(host) ? pushing.token(delivery) : pushing.fork(delivery)
  return [`Clone ${repository}.`, ...access, ...Object.values(submitting(delivery))]
}
