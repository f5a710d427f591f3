import { beforeAll, describe, expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

// Whatever is asked about whichever id, by whomever: what is said of the past is true.

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project
const stranger = await market.register()
const agents: Record<string, Awaited<ReturnType<typeof connect>>> = {}
/** A submission that each wrong bounty is asked about. */
const elsewhere = await market.bountyInReview({ project })

type Ending = 'pending' | 'rejected' | 'changes_requested' | 'retracted' | 'approved'

/** What is true of a bounty, known from how it was made. */
interface Truth {
  id: string
  status: 'open' | 'claimed' | 'in_review' | 'done' | 'unknown'
  /** The key of who has claimed it. */
  holder?: string
  /** The key of who had it, and how that claim ended. */
  former?: string
  lost?: 'released' | 'rejected' | 'retracted'
  submissions: Record<string, Ending>
}

/** A bounty whose submission was reviewed or taken back. */
async function reviewed(ending: Ending, status: Truth['status'], path?: string): Promise<Truth> {
  const { id, claimant, submissionId } = await market.bountyInReview({ project })
  const isTakenBack = ending === 'retracted'
  if (path) {
    const { status: code } = await market.api('POST', path.replace('BNT', id).replace('SUB', submissionId), {
      key: isTakenBack ? claimant.key : founder.key,
      body: isTakenBack ? {} : { review_notes: 'No.' },
    })
    expect(code).toBe(200)
  }
  const lost = ending === 'rejected' || ending === 'retracted' ? ending : undefined
  const agent = lost ? { former: claimant.key, lost } : { holder: claimant.key }
  return { id, status, ...agent, submissions: { [submissionId]: ending } }
}

const histories: Record<string, () => Promise<Truth>> = {
  'that nobody has claimed': async () => {
    return { id: (await market.openBounty({ project })).id, status: 'open', submissions: {} }
  },
  'that is claimed': async () => {
    const { id, claimant } = await market.claimedBounty({ project })
    return { id, status: 'claimed', holder: claimant.key, submissions: {} }
  },
  'that was released': async () => {
    const { id, claimant } = await market.claimedBounty({ project })
    await market.act({ id }, 'release', claimant, {})
    return { id, status: 'open', former: claimant.key, lost: 'released', submissions: {} }
  },
  'in review': () => reviewed('pending', 'in_review'),
  'whose work was rejected': () => reviewed('rejected', 'open', '/api/bounties/BNT/reject'),
  'whose work was sent back': () =>
    reviewed('changes_requested', 'claimed', '/api/bounties/BNT/request-changes'),
  'whose work was taken back': () => reviewed('retracted', 'open', '/api/submissions/SUB/retract'),
  'that another agent has claimed since': async () => {
    const truth = await reviewed('rejected', 'open', '/api/bounties/BNT/reject')
    const { key } = await market.register()
    await market.act(truth, 'claim', { key }, {})
    return { ...truth, status: 'claimed', holder: key }
  },
  'that is paid': () => reviewed('approved', 'done', '/api/bounties/BNT/approve'),
  'that does not exist': async () => {
    return { id: 'bnt_00000000000000000000', status: 'unknown', submissions: {} }
  },
}

interface Asked extends Truth {
  caller: string
  /** The submission that was named. */
  named?: string
}
type Match = string[]
const endings: Record<string, Ending> = {
  'approved and paid by': 'approved',
  'rejected at': 'rejected',
  'sent back for changes at': 'changes_requested',
  'retracted by its contributor at': 'retracted',
}
const isHeldBy = ({ holder, caller }: Asked) => holder === caller
const isOf =
  (...statuses: string[]) =>
  ({ submissions, named = '' }: Asked) =>
    statuses.includes(submissions[named] ?? '')

/** What can be said of the past, and when it is true. */
const sayings: [RegExp, (asked: Asked, match: Match) => boolean][] = [
  [/The bounty is `(\w+)`/, ({ status }, [, said]) => status === said],
  [/The bounty is not `(\w+)`/, ({ status }, [, said]) => status !== said],
  [/There is no such bounty/, ({ status }) => status === 'unknown'],
  [/nothing was submitted to it yet/, ({ submissions }) => Object.keys(submissions).length === 0],
  [
    /submission (sub_\w+) was (approved and paid by|[^;]*? at)/,
    ({ submissions }, [, id = '', how = '']) =>
      endings[how] !== undefined && submissions[id] === endings[how],
  ],
  [
    /submission that you named is not of this bounty/,
    ({ submissions, named = '' }) => !(named in submissions),
  ],
  [
    /Submission (\w+) is in review now, not (\w+)/,
    ({ submissions, named }, [, id = '', other]) => submissions[id] === 'pending' && other === named,
  ],
  [/nothing waits for review/, ({ status }) => status !== 'in_review'],
  [/nother agent (has )?claimed/, (asked) => asked.holder !== undefined && !isHeldBy(asked)],
  [/you claimed it|You hold it|you have submitted to it|your submission was approved/, isHeldBy],
  [/Nobody holds a claim/, ({ holder }) => holder === undefined],
  [/Only the agent that claimed/, (asked) => asked.holder !== undefined && !isHeldBy(asked)],
  [/You released your claim/, ({ former, caller, lost }) => former === caller && lost === 'released'],
  [/Your submission was rejected/, ({ former, caller, lost }) => former === caller && lost === 'rejected'],
  [/You retracted your/, ({ former, caller, lost }) => former === caller && lost === 'retracted'],
  [/Nothing was paid a second time/, isOf('approved')],
  [/It is yours/, ({ caller }) => caller === founder.key],
  [/(It is|yours and) paid\b/, (asked) => asked.status === 'done' || isOf('approved')(asked)],
  [/It ended without pay/, isOf('rejected')],
  [/Its contributor took it back/, isOf('retracted')],
  [/The contributor repairs/, isOf('changes_requested')],
  [/The submission is `(\w+)`/, ({ submissions, named = '' }, [, said]) => submissions[named] === said],
  [/for its review\./, isOf('rejected', 'changes_requested', 'approved')],
  [/has not been approved, so there is no payout/, (asked) => !isOf('approved')(asked)],
  [/There is no such submission/, ({ named }) => named === 'sub_00000000000000000000'],
]

let spoken: Set<RegExp>
function requireTruth(what: string, text: string, asked: Asked): void {
  for (const [saying, isTrue] of sayings) {
    const match = saying.exec(text)
    if (!match) continue
    spoken.add(saying)
    expect(isTrue(asked, match), `${what}: ${text}`).toBe(true)
  }
}

/** What a tool says, of a bounty or a submission, to whoever calls it. */
async function ask(tool: string, args: object, asked: Asked): Promise<void> {
  const agent = agents[asked.caller] ?? (await connect(market.baseUrl, asked.caller))
  agents[asked.caller] = agent
  const { error, next_step } = (await agent.call(tool, args)).body
  requireTruth(tool, `${error?.message ?? ''} ${next_step ?? ''}`, asked)
}

/** What an operation without a tool refuses. */
async function request(method: string, path: string, asked: Asked, body?: object): Promise<void> {
  const response = await market.api(method, path, { key: asked.caller, ...(body && { body }) })
  requireTruth(`${method} ${path}`, response.body.error?.message ?? '', asked)
}

/** Everything about one bounty that changes nothing: reads, and steps that are refused. */
async function askAbout(truth: Truth, caller: string): Promise<void> {
  const { id: bounty_id, status, holder } = truth
  const asked = { ...truth, caller }
  const mayRelease = caller === holder && status === 'claimed'
  const steps: [string, object][] = [
    ['get_bounty', {}],
    ['preflight', {}],
    ['merge', {}],
    ['change_claim', { action: 'extend' }],
    ...(mayRelease ? [] : [['change_claim', { action: 'release' }] as [string, object]]),
    ['submit', { pr_url: `${project.repo_url}/pull/9999` }],
    ...(status === 'open' ? [] : [['claim', {}] as [string, object]]),
  ]
  for (const [tool, args] of steps) await ask(tool, { bounty_id, ...args }, asked)
  await request('GET', `/api/bounties/${bounty_id}/claim`, asked)
  await request('GET', `/api/bounties/${bounty_id}/review`, asked)
  if (status !== 'open') await request('POST', `/api/bounties/${bounty_id}/cancel`, asked, {})
  if (!holder) await request('POST', `/api/bounties/${bounty_id}/dismiss`, asked, { review_notes: 'No.' })
}

async function reviewWith(truth: Truth, caller: string, named: string): Promise<void> {
  const asked = { ...truth, caller, named }
  const ids = { bounty_id: truth.id, submission_id: named }
  await ask('approve', { ...ids, expected_head_sha: 'f'.repeat(40) }, asked)
  for (const action of ['reject', 'request_changes'])
    await ask('return_submission', { ...ids, action, review_notes: 'No.' }, asked)
}

const unknown = 'sub_00000000000000000000'

describe.each(Object.keys(histories))('of a bounty %s', (history) => {
  let truth: Truth
  beforeAll(async () => {
    truth = await (histories[history] as () => Promise<Truth>)()
    spoken = new Set()
  })

  test('tools and operations say what is true, to its founder, its contributors and others', async () => {
    const { holder, former, submissions, status } = truth
    const callers = [founder.key, stranger.key, holder, former].filter((key) => key !== undefined)
    const own = Object.keys(submissions)
    for (const caller of callers) {
      await askAbout(truth, caller)
      for (const named of [...own, elsewhere.submissionId, unknown])
        if (caller !== founder.key || status !== 'in_review' || named !== own[0])
          await reviewWith(truth, caller, named)
      for (const named of [...own, unknown]) {
        const asked = { ...truth, caller, named }
        for (const tool of ['get_submission', 'pull_request'])
          await ask(tool, { submission_id: named }, asked)
        if (submissions[named] !== 'pending') await ask('retract', { submission_id: named }, asked)
        await request('GET', `/api/payouts/${named}`, asked)
      }
    }
    expect(spoken.size).toBeGreaterThan(1)
  })

  test('and the id of something else is no bounty and no submission', async () => {
    for (const [path, code] of [
      [`/api/bounties/${Object.keys(truth.submissions)[0] ?? project.id}/approve`, 'bounty_not_found'],
      [`/api/bounties/${project.id}/merge`, 'bounty_not_found'],
      [`/api/submissions/${truth.id}/retract`, 'submission_not_found'],
    ])
      expect((await market.api('POST', String(path), { ...founder, body: {} })).body.error.code).toBe(code)
  })
})
