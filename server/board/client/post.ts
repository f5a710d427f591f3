import type {
  BountiesCreateResponse,
  ProjectsCreateResponse,
  ProjectsFundsResponse,
  ProjectsMarketResponse,
} from '../../../sdk/src/generated/schema.ts'
import { type Inline, tokens, tokensNamed } from '../page.ts'
import { eth } from '../pages/parts.ts'
import { cut, less } from './amounts.ts'
import { attempt, Failure } from './api.ts'
import { bountyFields } from './bounty-fields.ts'
import { button, element, fill, inline, paragraph } from './dom.ts'
import { section, show } from './entries.ts'
import { area, form, input, markdownWorks } from './form.ts'
import type { Desk, Part } from './part.ts'

type Project = { id: string; name: string; token_symbol: string; status: string }

/** Milliseconds after the last key until it is asked what a reward sells for. */
const quietMs = 400

/** One form that posts a bounty, on a project of the founder or on a new one, which is activated before. */
export function createPost(desk: Desk): Part {
  const node = element('div', 'panel')

  async function begin(): Promise<void> {
    const projects = (await desk.projects()).toSorted((one, other) => one.status.localeCompare(other.status))
    fill(node, ...section('Post a bounty', postForm(desk, projects, posted)))
  }

  function posted(project: Project, { bounty }: BountiesCreateResponse): void {
    const page = `/bounties/${bounty.id}`
    const pays = tokens(bounty.reward_amount, project.token_symbol)
    const feed = { href: `/bounties.atom?project_id=${project.id}`, label: 'Follow by feed' }
    const lines: Inline[] = [
      [{ page, label: { foreign: bounty.title } }, ' pays ', pays, '. Agents see it now.'],
      'What they ask and send comes to your Inbox.',
      ['Its address: ', { code: location.origin + page }, ' ', feed],
    ]
    const another = button('Post another', () => void begin())
    const body = element('div', 'panel', ...lines.map((line) => paragraph(line)), another)
    show(node, ...section('Your bounty is open', body))
    const heading = node.querySelector('h2') as HTMLElement
    heading.tabIndex = -1
    heading.focus()
  }

  // What is half written stays.
  return { node, refresh: async () => void (node.firstChild || (await begin())) }
}

function postForm(
  desk: Desk,
  projects: readonly Project[],
  posted: (project: Project, created: BountiesCreateResponse) => void,
): HTMLElement {
  const { api } = desk
  const options = projects.map(({ id, name, status }) => {
    const before = status === 'active' ? '' : ', which is activated before'
    return element('option', { value: id }, inline({ foreign: name }), before)
  })
  const choice = element('select', {}, ...options, element('option', {}, 'A new project'))
  const made = newProject(desk)
  const { fields, reward, rewardLabel, read } = bountyFields(desk)
  const preview = element('div', { class: 'note', 'aria-live': 'polite' })
  const chosen = () => projects[choice.selectedIndex]
  const node = form('Post it', [['Project', choice], made.node, ...fields, preview], async (say) => {
    const project = chosen() ?? (await made.create())
    const path = `/projects/${project.id}`
    if (project.status !== 'active') {
      say('Making the repository and the token… this goes on if you leave.')
      await api.decide(`${path}/activate`, {})
      project.status = 'active'
    }
    const created = await attempt(api.decide<BountiesCreateResponse>(`${path}/bounties`, read()))
    if (!(created instanceof Failure)) return posted(project, created)
    // The API names requests. A person reads above what is left.
    if (created.code === 'insufficient_funds')
      created.message = 'Not posted: the project cannot pay this. Offer less.'
    throw created
  })
  const submit = node.querySelector('button') as HTMLButtonElement
  let looks = 0

  async function look(): Promise<void> {
    const nth = ++looks
    const project = chosen()
    made.node.hidden = made.node.disabled = project !== undefined
    const symbol = project?.token_symbol ?? (made.symbol.value.toUpperCase() || 'tokens')
    rewardLabel.textContent = `Reward in whole ${tokensNamed(symbol)}`
    const wanted = Math.max(Math.trunc(Number(reward.value)), 0)
    const [line, isTooMuch] = await previewOf(desk, project, wanted, symbol, made.reserved())
    if (nth !== looks) return
    fill(preview, inline(line))
    submit.disabled = isTooMuch
  }

  let timer = 0
  node.oninput = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => void look(), quietMs)
  }
  reward.onfocus = () => void look()
  void look()
  return node
}

/** What a reward pays the contributor, what that sells for now, and what is left; and whether the project cannot pay it. */
async function previewOf(
  { api, config }: Desk,
  project: Project | undefined,
  reward: number,
  symbol: string,
  reserved: string | null,
): Promise<[line: Inline, isTooMuch: boolean]> {
  const path = `/projects/${project?.id}`
  const net = cut(`${reward}`, config.fees.platform_bps)
  const isActive = project?.status === 'active'
  const read = <Body>(of: string) => (isActive ? attempt(api.get<Body>(path + of)) : undefined)
  const [funds, market] = await Promise.all([
    read<ProjectsFundsResponse>('/funds'),
    reward > 0 ? read<ProjectsMarketResponse>(`/market?sell=${net}`) : undefined,
  ])
  if (funds instanceof Failure) return [funds.message, false]
  const spendable = funds && less(funds.funds.spendable, Number(funds.funds.committed), symbol)
  const most = spendable ?? tokens(funds ? 0 : (reserved ?? ''), symbol)
  const left: Inline = funds || reserved !== null ? [' ', most, ' are left to offer.'] : ''
  if (left && !less(most.amount, reward, symbol)) return [['The project cannot pay this:', left], true]
  if (reward === 0) return [left, false]
  const worth = market && !(market instanceof Failure) ? market.market.quote.eth : '0'
  const how: Inline = { page: project ? path : '/how', label: 'How to change that' }
  const sells: Inline =
    Number(worth) > 0
      ? [eth(worth, 2), ' if sold now, which agents compare.']
      : [`nobody buys ${tokensNamed(symbol)} yet, and agents see that. `, how, '.']
  return [['The contributor gets ', tokens(net, symbol), ': ', sells, left], false]
}

/** The fields of a new project. What they have made is not made again if something fails after it. */
function newProject({ api, config }: Desk) {
  const name = input({ maxlength: '200' })
  const description = area()
  const symbol = input({
    pattern: '[A-Za-z0-9]{1,10}',
    placeholder: 'CALC',
  })
  const supply = input({ type: 'number', min: '1', max: '1000000000000', value: '1000000' })
  const { bounty_reserve_bps: bps } = config
  const reserve = bps === null ? '' : `: ${bps / 100} % of it is reserved for your bounties`
  const fields = [
    ['Name of the project', name],
    [`What it is about. ${markdownWorks}`, description],
    ['Symbol of its token, letters and digits', symbol],
    [`Supply in whole tokens, which never changes${reserve}`, supply],
  ] as const
  const labels = fields.map((field) => element('label', {}, ...field))
  const why = 'A project gets a repository and a token of its own, in which its bounties pay.'
  const known = new Map<string, Project>()
  return {
    node: element('fieldset', 'panel', paragraph(why, 'note'), ...labels),
    symbol,
    reserved: () => (bps === null ? null : cut(supply.value || '0', 10_000 - bps)),
    async create(): Promise<Project> {
      const texts = { name: name.value, description: description.value, token_symbol: symbol.value }
      const wanted = { ...texts, token_supply: Number(supply.value) }
      const is = JSON.stringify(wanted)
      const project = known.get(is) ?? (await api.decide<ProjectsCreateResponse>('/projects', wanted)).project
      known.set(is, project)
      return project
    },
  }
}
