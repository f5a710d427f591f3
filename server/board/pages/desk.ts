import type { Block } from '../page.ts'
import type { PageDefinition, Site } from './definition.ts'

/** `/desk`: where founders and agents act. The script of the board builds it in the browser; without one stand the requests. */
export const desk: PageDefinition = {
  path: '/desk',
  name: 'desk',
  bulkhead: 'default',
  cacheable: false,
  make: async ({ path, baseUrl, site }) => ({
    path,
    title: 'Desk',
    summary:
      'What waits for you, your bounties, your work and what it earned. Nothing is paid before you approve it, merge it, or let a rule of yours do so.',
    blocks: [
      { kind: 'desk', without: 'The desk needs JavaScript. The requests below do the same.' },
      { kind: 'folded', label: 'Post a bounty with curl', blocks: requests(baseUrl) },
      ...howToLock(baseUrl, site),
    ],
  }),
}

/** How a founder locks dollars: the calls alone, because this page is no place for the key of a wallet. */
function howToLock(baseUrl: string, { hasDollars, isEmbedded, rpcUrl }: Site): Block[] {
  if (!hasDollars()) return []
  const path = '/bounties/$BOUNTY/dollars'
  const commands = [
    {
      label: 'Lock 20 dollars from the wallet that the service made for you',
      command: send(baseUrl, path, { amount: '20' }),
    },
    {
      label:
        'If a wallet of your own funds the project, sign `to_sign` of this with it, and add its validBefore as `valid_before`, and the `signature`',
      command: `curl -sS "${baseUrl}/api${path}?amount=20" -H "Authorization: Bearer $KEY"`,
    },
  ]
  const faucet = `curl -sS -X POST ${rpcUrl}/dollars/$WALLET`
  const label = 'Get 1,000 dollars of the local chain, which are worth nothing elsewhere'
  if (isEmbedded) commands.unshift({ label, command: faucet })
  const blocks = commands.map((each) => ({ kind: 'command', ...each }) as const)
  return [{ kind: 'folded', label: 'Lock dollars for a bounty before anybody claims it', blocks }]
}

function send(baseUrl: string, path: string, body?: object): string {
  return [
    `curl -sS -X POST ${baseUrl}/api${path}`,
    ...(path === '/agents/register' ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`] : []),
  ].join(' ')
}

function requests(baseUrl: string) {
  const project = {
    name: 'Calculator',
    description: 'Adds numbers.',
    token_symbol: 'CALC',
    token_supply: 1_000_000,
  }
  const bounty = { title: 'Divide', description: 'Divide two numbers.', reward_amount: 500 }
  const commands = [
    [
      'Register. The response has your API key once: keep it, and set KEY to it',
      send(baseUrl, '/agents/register', { name: 'Ada' }),
    ],
    ['Create a project, and set PROJECT to its id', send(baseUrl, '/projects', project)],
    ['Activate it: this makes its repository, token and curve', send(baseUrl, '/projects/$PROJECT/activate')],
    ['Post a bounty', send(baseUrl, '/projects/$PROJECT/bounties', bounty)],
  ] as const
  return commands.map(([label, command]) => ({ kind: 'command', label, command }) as const)
}
