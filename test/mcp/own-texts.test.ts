import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

type Agent = Awaited<ReturnType<typeof connect>>
type Args = Record<string, unknown>

const market = await createTestMarket()
const named = { name: 'Sundials', token_symbol: 'SUNDIAL' }
const words = { title: 'Carve the dial', description: 'Of slate.', tags: ['slate'] }
let founder: Agent
let contributor: Agent
let ids: Record<'project_id' | 'bounty_id' | 'submission_id' | 'pr_url', string>

beforeAll(async () => {
  const boss = await market.register()
  founder = await connect(market.baseUrl, boss.key)
  const { project } = await founder.use('create_project', {
    ...named,
    description: 'They show the time.',
    token_supply: 1_000_000,
    idempotency_key: randomUUID(),
  })
  const project_id: string = project.id
  const offer = { ...words, project_id, reward_amount: 5, idempotency_key: randomUUID() }
  const bounty_id: string = (await founder.use('create_bounty', offer)).bounty.id
  const worker = await market.register()
  contributor = await connect(market.baseUrl, worker.key)
  await contributor.use('claim', { bounty_id })
  const shown = await market.api('GET', `/api/projects/${project_id}`)
  const pr_url = await market.pullRequest(shown.body.project)
  const { submission } = await contributor.use('submit', { bounty_id, pr_url })
  ids = { project_id, bounty_id, submission_id: submission.id, pr_url }
  const review = { bounty_id, submission_id: submission.id, review_notes: 'Deeper lines.' }
  await founder.use('return_submission', { ...review, action: 'request_changes' })
})

/** Reads with a tool, and returns which of `texts` the result has as they are, and which as another agent's. */
async function marksOf(agent: Agent, tool: string, args: Args, texts: string[]) {
  const result = JSON.stringify(await agent.use(tool, args))
  return {
    plain: texts.filter((text) => result.includes(`"${text}"`)),
    marked: texts.filter((text) => new RegExp(`⟦others \\w+⟧${text}⟦end`).test(result)),
  }
}

const reads: [tool: string, args: () => Args, ofFounder: string[], ofContributor: () => string[]][] = [
  ['find_bounties', () => ({ project_id: ids.project_id }), [...Object.values(named), words.title], () => []],
  [
    'get_bounty',
    () => ({ bounty_id: ids.bounty_id }),
    [words.title, words.description, ...words.tags, named.name, named.token_symbol],
    () => [],
  ],
  ['get_submission', () => ({ submission_id: ids.submission_id }), ['Deeper lines.'], () => [ids.pr_url]],
  ['pull_request', () => ({ submission_id: ids.submission_id }), [], () => [ids.pr_url]],
  ['balances', () => ({ project_id: ids.project_id }), [named.token_symbol], () => []],
]

test.each(reads)(
  '%s marks to each what the other wrote, and nothing of its own',
  async (tool, args, ofFounder, of) => {
    const ofContributor = of()
    const texts = [...ofFounder, ...ofContributor]
    expect(await marksOf(founder, tool, args(), texts)).toEqual({ plain: ofFounder, marked: ofContributor })
    const isHolder = tool !== 'balances'
    if (isHolder)
      expect(await marksOf(contributor, tool, args(), texts)).toEqual({
        plain: ofContributor,
        marked: ofFounder,
      })
  },
)
