import type {
  AgentsProjectsResponse,
  BountiesCreateResponse,
  ConfigPublicResponse,
  ProjectsCreateResponse,
  ProjectsFundsResponse,
} from '../../../sdk/src/generated/schema.ts'
import { type Activating, type Inline, tokens } from '../page.ts'
import { type Api, attempt, Failure, reasonOf } from './api.ts'
import { bountyForm } from './bounty-form.ts'
import { less, without } from './details.ts'
import { button, element, fill, inline, list, paragraph } from './dom.ts'
import { area, form, input, markdownWorks } from './form.ts'
import type { Messages } from './messages.ts'

/** The way from nothing to a bounty, one step of which is visible. */
export interface Start extends Pick<Messages, 'say'> {
  api: Api
  config: ConfigPublicResponse['config']
  /** Shows a step under its heading, and nothing of the one before. */
  show(step: number, title: string, ...parts: readonly (Node | string)[]): void
}

type Project = Pick<AgentsProjectsResponse['projects'][number], 'id' | 'name' | 'token_symbol' | 'status'>

/** Milliseconds between two looks at an activation. */
const lookMs = 1000

/** Goes on with a project of the founder, or with a new one. */
export async function chooseProject(start: Start): Promise<void> {
  const { api, config, show } = start
  const { projects } = await api.get<AgentsProjectsResponse>('/agents/me/projects?limit=20')
  const open = (project: Project) => () =>
    void (project.status === 'active' ? offerBounty(start, project) : activate(start, project))
  const own = projects.map((project) => {
    const goOn = button(project.status === 'active' ? 'Post a bounty' : 'Activate it', open(project))
    return element('li', {}, element('p', 'title', inline({ foreign: project.name })), goOn)
  })
  const symbol = input({
    pattern: '[A-Za-z0-9]{1,10}',
    placeholder: 'CALC',
    title: 'One to ten letters and digits',
  })
  const supply = input({ type: 'number', min: '1', max: '1000000000000', value: '1000000' })
  const name = input({ maxlength: '200' })
  const description = area()
  const { bounty_reserve_bps: reserved } = config
  const reserve = reserved === null ? '' : `: ${reserved / 100} % of it is reserved for your bounties`
  const create = form(
    'Create and activate it',
    [
      ['Name', name],
      [`What it is about. ${markdownWorks}`, description],
      ['Symbol of its token, letters and digits', symbol],
      [`Supply in whole tokens, which never changes${reserve}`, supply],
    ],
    async () => {
      const fields = {
        name: name.value,
        description: description.value,
        token_symbol: symbol.value,
        token_supply: Number(supply.value),
      }
      const { project } = await api.decide<ProjectsCreateResponse>('/projects', fields)
      await activate(start, project)
    },
  )
  const yours = own.length ? [element('ul', 'entries', ...own), element('h3', {}, 'Or create a new one')] : []
  const costs = paragraph(
    'It costs you nothing. A repository and a token of its own are made, in which its bounties pay. The token sells for nothing until ' +
      'somebody buys it.',
  )
  show(1, own.length ? 'Your projects' : 'Create a project', ...yours, costs, create)
}

/** Activates a project, which takes seconds, and shows meanwhile what is made. */
async function activate(start: Start, project: Project): Promise<void> {
  const { api, say, show } = start
  const made = element('div')
  const again = element('div', 'actions')
  const begun = Date.now()
  show(1, 'Activating', paragraph(['Project ', { foreign: project.name }]), made, again)
  const path = `/projects/${project.id}`
  const look = async () => {
    const seconds = Math.round((Date.now() - begun) / 1000)
    const read = await attempt(api.get<Activating>(`${path}/activation`, {}, ''))
    if (read instanceof Failure) return
    const { repo_url: repo, token_address: token, curve_address: curve } = read
    const address = (of: string | null): Inline => (of ? ['will be ', { code: of }] : 'waits')
    const facts = [
      ['Repository', repo ? { href: repo, label: repo } : 'is being made'],
      ['Token', address(token)],
      ['Curve', address(curve)],
      ['Since', `${seconds} s`],
    ] as const
    fill(made, list(facts))
  }
  say('Making the repository, the token and its curve. This goes on if you leave.')
  void look()
  const timer = setInterval(() => void look(), lookMs)
  try {
    await api.decide(`${path}/activate`, {})
    await offerBounty(start, project)
  } catch (thrown) {
    say(['Not active, or not yet: ', reasonOf(thrown)], true)
    fill(
      again,
      button('Activate again', () => void activate(start, project), ''),
    )
  } finally {
    clearInterval(timer)
  }
}

/** Asks what is to be built, and says what its reward would leave. */
async function offerBounty(start: Start, project: Project): Promise<void> {
  const { api, config, show } = start
  const path = `/projects/${project.id}`
  const { node: post, reward } = bountyForm(
    'Post it',
    { symbol: project.token_symbol, claimHours: config.claim_hours },
    async (fields) => {
      const posted = await attempt(api.decide<BountiesCreateResponse>(`${path}/bounties`, fields))
      if (posted instanceof Failure) {
        await readFunds()
        // The API names requests. A person reads in the preview what is left.
        if (posted.code === 'insufficient_funds')
          posted.message = 'Not posted: the project cannot pay this. Offer less.'
        throw posted
      }
      const { bounty } = posted
      const page = `/bounties/${bounty.id}`
      const another = button('Post another', () => void offerBounty(start, project))
      show(
        3,
        'Your bounty is open',
        paragraph([
          { page, label: { foreign: bounty.title } },
          ' pays ',
          tokens(bounty.reward_amount, project.token_symbol),
        ]),
        paragraph(['Submitted work waits for you at the ', { page: '/review', label: 'review desk' }, '.']),
        element('div', 'actions', another),
      )
    },
  )
  const readFunds = addPreview(start, project, reward, post)
  show(2, 'Post a bounty', paragraph(['On ', { page: path, label: { foreign: project.name } }]), post)
  await readFunds()
}

/**
 * Says in a form what a reward would pay and leave. What the project cannot pay cannot be sent; funds that are not known keep nobody
 * from it. Returns what reads the funds.
 */
function addPreview(
  { api, config }: Start,
  { id, token_symbol: symbol }: Project,
  input: HTMLInputElement,
  post: HTMLFormElement,
): () => Promise<void> {
  const preview = element('div', { class: 'panel', 'aria-live': 'polite' })
  const submit = post.querySelector('button') as HTMLButtonElement
  submit.before(preview)
  let read: ProjectsFundsResponse | Failure

  const update = () => {
    submit.disabled = false
    if (read instanceof Failure) return fill(preview, read.message)
    const { spendable, committed } = read.funds
    const reward = Math.max(Math.trunc(Number(input.value)), 0)
    const left = less(spendable, Number(committed) + reward, symbol)
    const net = without(reward, config.fees.platform_bps, symbol)
    const facts = list([
      ['You can pay', tokens(spendable, symbol)],
      ['Promised to other bounties', tokens(committed, symbol)],
      ...(reward > 0 ? [['This one pays', [net, ' to the contributor, the rest as fee']] as const] : []),
      ['Remains', left ?? { badge: 'too little', tone: 'bad' }],
    ])
    submit.disabled = !left
    const most = less(spendable, Number(committed), symbol) ?? tokens(0, symbol)
    const why: Inline = ['The project cannot pay this: ', most, ' are left to offer.']
    fill(preview, facts, left ? '' : paragraph(why, 'danger'))
  }

  async function readFunds(): Promise<void> {
    read = await attempt(api.get<ProjectsFundsResponse>(`/projects/${id}/funds`))
    input.oninput = update
    update()
  }
  // The wallet may have got tokens meanwhile.
  input.onfocus = () => void readFunds()
  return readFunds
}
