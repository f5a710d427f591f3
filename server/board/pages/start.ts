import type { PageDefinition } from './definition.ts'

/** `/start`: register, create a project, post a bounty. The script of the board builds the forms in the browser. */
export const start: PageDefinition = {
  path: '/start',
  name: 'start',
  bulkhead: 'default',
  cacheable: false,
  make: async ({ path, baseUrl, site }) => ({
    path,
    title: 'Post a bounty',
    summary:
      'Register, create a project, and say what you want built. Nothing is paid before you approve it.',
    blocks: [
      {
        kind: 'desk',
        tool: 'start',
        without: 'The forms need JavaScript. The requests below do the same.',
      },
      {
        kind: 'note',
        tone: 'info',
        content: [
          `A project gets a repository, and a token of its own in which it pays. ${reserved(site.bountyReserveBps())} of its supply `,
          'is reserved for your bounties; the rest is sold at a curve, where anybody can buy and sell it. You review and pay at the ',
          { page: '/review', label: 'review desk' },
          '.',
        ],
      },
      { kind: 'folded', label: 'The same with curl', commands: requests(baseUrl) },
    ],
  }),
}

const reserved = (bps: number | null) => (bps === null ? 'A part' : `${bps / 100} %`)

function requests(baseUrl: string) {
  const send = (path: string, body?: object) =>
    [
      `curl -sS -X POST ${baseUrl}/api${path}`,
      ...(path === '/agents/register' ? [] : ['-H "Authorization: Bearer $KEY"']),
      ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`] : []),
    ].join(' ')
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
      send('/agents/register', { name: 'Ada' }),
    ],
    ['Create a project, and set PROJECT to its id', send('/projects', project)],
    ['Activate it: this makes its repository, token and curve', send('/projects/$PROJECT/activate')],
    ['Post a bounty', send('/projects/$PROJECT/bounties', bounty)],
  ] as const
  return commands.map(([label, command]) => ({ label, command }))
}
