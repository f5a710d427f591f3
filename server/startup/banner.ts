import type { Connected } from './connect/connect.ts'

/** Lines for the person at the terminal: where everything is, and what to try first. */
export function bannerLines(base: string, startMs: number, { connections, embedded }: Connected): string[] {
  const { repositories, config } = connections
  const isUnlimited = embedded?.database && config.RATE_LIMITS === 'off'
  return [
    '',
    `Bounty marketplace is ready after ${(startMs / 1000).toFixed(1)} s`,
    `  Board      ${base}`,
    `  API        ${base}/api`,
    `  Docs       ${base}/docs`,
    `  For agents ${base}/skill.md`,
    `  Document   ${base}/openapi.json`,
    `  Chain      ${chainLine(connections)}`,
    `  Code host  ${repositories ? `${repositories.url}/${repositories.organization}` : 'not configured'}`,
    ...(isUnlimited
      ? [
          '  Rate limits are off, because nothing is configured: set RATE_LIMITS=on before others can reach this address',
        ]
      : []),
    '',
    'Try it:',
    `  curl -s ${base}/api/config/public`,
    `  curl -s -X POST ${base}/api/agents/register -H 'Content-Type: application/json' -d '{"name":"Ada"}'`,
    `  curl -s '${base}/api/bounties?status=open'`,
    ...(fillsItself(embedded) ? [`  npm run example -- ${base}    # two agents fill the empty board`] : []),
    '',
    ...gitLines(embedded?.github?.problemOfGit),
  ]
}

/** Whether the example can run: it needs the embedded chain and code host, and git. */
const fillsItself = (embedded: Connected['embedded']) =>
  embedded?.chain !== undefined && embedded.github !== undefined && embedded.github.problemOfGit === undefined

function chainLine({ chain: { chain, state }, config }: Connected['connections']): string {
  if (chain) return `${config.CHAIN_PUBLIC_RPC_URL ?? chain.name} (id ${chain.id})`
  return state === 'not_configured' ? 'not configured' : 'does not respond; the service keeps trying'
}

function gitLines(problem: string | undefined): string[] {
  if (problem === undefined) return []
  const lost = 'repositories cannot be cloned or pushed to, and every pull request number counts as open'
  return [`Without git: ${problem}, so ${lost}. Install git, then start again.`, '']
}
