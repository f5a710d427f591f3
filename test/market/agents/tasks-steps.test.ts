import { describe, expect, test } from 'vitest'
import { consequences } from '../../../server/market/agents/tasks/consequences.ts'
import { taskIds } from '../../../server/market/agents/tasks/ids.ts'
import { obliging } from '../../support/code-host.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { createTestMarket } from '../../support/market.ts'
import { startReceiver } from '../../support/webhooks.ts'
import { type Scene, type Step, type Task, taskScenes, tasksOn } from './support/tasks.ts'

const market = await createTestMarket({ onGitHubRequest: obliging, codeHostMs: 20_000 })
const receiver = await startReceiver()
const project = await market.activeProject({ token_supply: 1_000_000_000 })
await beatHeart(market.db)
const { tasksOf, taskOf, follow } = tasksOn(market)
const scenes = taskScenes(market, project, receiver)

const failing = "failing_since = now() - interval '1 day'"
const disabled = "disabled_at = now(), disabled_because = 'gone', failing_since = now()"
const head = 'c'.repeat(40)

interface Situation {
  action: string
  /** What its consequence says. */
  says: RegExp
  /** What its task offers, the request first. */
  steps: string
  prepare: () => Promise<Scene>
  /** Whether each step is sent; not where only rows are prepared, or another situation has the same steps. */
  isTried: boolean
}
const seen = (
  action: string,
  says: RegExp,
  steps: string,
  prepare: () => Promise<Scene>,
  isTried = false,
): Situation => ({ action, says, steps, prepare, isTried })
const tried: typeof seen = (action, says, steps, prepare) => seen(action, says, steps, prepare, true)

const revise = 'read_review submit'
const unmergeable = /closed, a draft, in conflict with its base, or gone/
const resumed = /goes on where it stopped/
const decisions = 'read_pull_request approve request_changes reject'
const aboutWebhook = 'read_deliveries delete_webhook'

const situations: Situation[] = [
  tried('submit', /^The claim lapses then, unless work is seen/, 'submit release', scenes.claimed),
  seen('submit', /^The claim lapses then, and/, 'submit extend release', scenes.seen),
  seen('submit', /^The claim .* cannot be extended/, 'submit release', scenes.claimedForGood),
  seen('submit', /^Your claim has lapsed.* may still submit/, 'submit release', scenes.claimLapsed),
  tried('submit', /^The code host reports that .* is merged/, 'submit', scenes.claimedAndMerged),
  seen('submit', /^The code host reports that .* is merged/, 'submit', scenes.returnedAndMerged),
  tried('revise', /wants changes.* lapses then, and/, `${revise} extend release`, scenes.returned),
  seen('revise', /wants changes.* cannot be extended/, `${revise} release`, scenes.returnedForGood),
  seen('revise', /wants changes.* has lapsed/, `${revise} release`, scenes.returnedLapsed),
  tried('repair_pull_request', unmergeable, 'read_pull_request retract', () =>
    scenes.broken("state = 'closed'"),
  ),
  ...["state = 'gone'", 'draft = true', 'mergeable = false', 'into_default = false'].map((columns) =>
    seen('repair_pull_request', unmergeable, 'read_pull_request retract', () => scenes.broken(columns)),
  ),
  seen('repair_pull_request', /A check .* failed/, 'read_pull_request retract', () =>
    scenes.broken("checks_state = 'failure'"),
  ),
  tried('retract', /nothing pays it now/, 'read_pull_request retract', scenes.overdue),
  tried('activate', /no repository and no token/, 'activate', scenes.proposed),
  seen('activate', /your own repository/, 'activate', scenes.own),
  ...(['running', 'needs_operator', 'failed'] as const).map((status) =>
    seen('activate', resumed, 'activate', () => scenes.activation(status)),
  ),
  seen('repair_repository', /own repository is lost/, 'read_repository', scenes.lost),
  tried('review', /overdue review shows in your public record/, decisions, scenes.reviewing),
  seen('review', /paid then by the acceptance rule/, decisions, scenes.silent),
  seen('review', /payout failed and nothing was paid/, decisions, () => scenes.payout('failed')),
  seen('review', /is accepted, .* cannot be paid/, 'read_pull_request approve', scenes.blocked),
  ...(['running', 'needs_operator'] as const).map((status) =>
    seen('approve', /payout has not ended/, 'approve', () => scenes.payout(status, head)),
  ),
  seen('approve', /payout has not ended/, 'read_pull_request approve', () => scenes.payout('running')),
  tried('merge', /not in the default branch/, 'merge read_pull_request', scenes.paid),
  ...[`head_sha = '${'b'.repeat(40)}', mergeable = false`, 'draft = true', "state = 'closed'"].map(
    (columns) =>
      seen('merge', /not in the default branch\.$/, 'merge read_pull_request', () =>
        scenes.paidButChanged(columns),
      ),
  ),
  seen('merge', /and conflicts with it/, 'merge read_pull_request', () =>
    scenes.paidButChanged('mergeable = false'),
  ),
  tried('reply', /^Until you reply/, 'read_comments comment', scenes.asked),
  tried('read', /^The founder has commented/, 'read_comments comment', scenes.answered),
  tried('set_wallet', /nor be paid/, 'set_wallet generate_wallet', scenes.walletless),
  seen('set_wallet', /activate a project/, 'set_wallet generate_wallet', scenes.walletlessFounder),
  tried('check_wallet', /not its checksum/, 'set_wallet confirm_wallet', scenes.mistyped),
  tried('repair_webhook', /^Nothing arrives/, `test_webhook ${aboutWebhook}`, () => scenes.webhook(failing)),
  tried('repair_webhook', /was disabled because/, `enable_webhook ${aboutWebhook}`, () =>
    scenes.webhook(disabled),
  ),
]
/** These leave the task as it is. */
const leaves = (step: string) => step.startsWith('read_') || step === 'test_webhook'
/** These end somebody's work or somebody's chance. */
const ends = ['release', 'retract', 'reject', 'request_changes', 'delete_webhook']
const said: string[] = []
const met: Task[] = []

describe.each(situations)('200 with a task to $action ($says)', (situation) => {
  const { action, says, prepare, isTried } = situation
  const steps = situation.steps.split(' ')
  test(`which offers ${steps.join(', ')}, the first without harm`, async () => {
    const task = await taskOf(await prepare(), action)
    expect(task.consequence).toMatch(says)
    const reward = / The reward is (\d+) tokens(?:: ([\d.]+) for the contributor, ([\d.]+) platform fee)?\.$/
    const [sentence, gross, net, fee] = reward.exec(task.consequence) ?? []
    expect(gross !== undefined).toBe(action === 'review' || action === 'approve')
    const percent = market.services.config.PLATFORM_FEE_BPS / 100
    expect(percent).toBeGreaterThan(0)
    expect(fee && Number(fee)).toBe(action === 'review' ? (Number(gross) * percent) / 100 : undefined)
    if (fee) expect(Number(net) + Number(fee)).toBe(Number(gross))
    const words = task.consequence.replace(sentence ?? '', '')
    said.push(words)
    met.push(task)
    expect([task.request, ...task.choices].map((step) => step.action)).toEqual(steps)
    expect(ends).not.toContain(task.request.action)
  })

  if (!isTried) return
  test.each(steps.filter((step) => !leaves(step)))(
    'whose %s is accepted as it stands and ends or changes it, after everything that leaves it',
    async (name) => {
      const scene = await prepare()
      const task = await taskOf(scene, action)
      const send = async (wanted: string) => {
        const step = [task.request, ...task.choices].find((one) => one.action === wanted) as Step
        expect([200, 201]).toContain((await follow(scene.agent, step, scene.known)).status)
        return (await tasksOf(scene.agent)).find(({ id }) => id === task.id)
      }
      for (const reading of steps.filter(leaves)) expect(await send(reading)).toEqual(task)
      expect(await send(name)).not.toEqual(task)
    },
  )
})

test('200 with every sentence that there is', () => {
  const sentences = Object.values(consequences).flatMap((states) => Object.values(states))
  expect([...new Set(said)].toSorted()).toEqual(sentences.toSorted())
})

test('200 with the ids that the table has for the action, and with a revision where there is a bounty', () => {
  const names = ['project_id', 'bounty_id', 'submission_id', 'webhook_id'] as const
  const idsIn = (action: string) => {
    const tasks = met.filter((task) => task.action === action)
    const seen = names.map((name) => [name, tasks.filter((task) => task[name] !== null).length] as const)
    const present = seen.filter(([, count]) => count > 0)
    return Object.fromEntries(
      present.map(([name, count]) => [name, count === tasks.length ? 'always' : 'sometimes']),
    )
  }
  expect(Object.fromEntries(Object.keys(taskIds).map((action) => [action, idsIn(action)]))).toEqual(taskIds)
  for (const { revision, bounty_id } of met) expect(revision === null).toBe(bounty_id === null)
})

test('200 with the known address of a pull request to submit again, unless it is closed', async () => {
  const submitOf = async (scene: Scene) => (await taskOf(scene, 'revise')).choices[0] as Step
  const open = await scenes.returned()
  const { body, missing } = await submitOf(open)
  expect([body, missing]).toEqual([{ pr_url: open.bounty.pr_url }, []])
  const closed = await scenes.returnedAndClosed()
  const step = await submitOf(closed)
  expect([step.body, step.missing]).toEqual([{}, ['pr_url']])
  expect((await follow(closed.agent, step, closed.known)).status).toBe(201)
})

test('200 with the address and its checksum to confirm, the only task of an agent that has no work', async () => {
  const { agent } = await scenes.mistyped()
  const [task, ...others] = await tasksOf(agent)
  const wallet_address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect([task?.action, task?.choices[0]?.body, others]).toEqual(['check_wallet', { wallet_address }, []])
})

test('200 with the submitted commit in an approval that is repeated, or without any in one that has to read it', async () => {
  const approval = async (sha: string | null) => {
    const { request, choices } = await taskOf(await scenes.payout('running', sha), 'approve')
    const { body, missing } = [request, ...choices].find(({ action }) => action === 'approve') as Step
    return [body?.expected_head_sha, missing]
  }
  expect(await approval(head)).toEqual([head, []])
  expect(await approval(null)).toEqual([undefined, ['expected_head_sha']])
})
