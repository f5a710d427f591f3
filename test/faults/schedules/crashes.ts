import type { Switch } from '../child/kill-switch.ts'
import { activateAll, approveAll, type Directed, payoutIs, until } from './helpers.ts'
import type { Scene } from './run.ts'

/** Steps of a payout between two effects, with the crash point each stands for. */
const payoutSteps: [string, string][] = [
  ['C1 after the intent is stored', 'intent stored'],
  ['C1 before the nonce is stored', 'attempt signed'],
  ['C2 after the nonce is stored, before sending', 'attempt stored'],
  ['C4 after sending, before that is written', 'attempt sent'],
  ['C4 after the sending is written', 'send recorded'],
  ['C5 after a replacement is stored, before it is sent', 'replacement stored'],
  ['C6 after a replacement is sent', 'replacement sent'],
  ['C7 after the receipt is seen, before it is written', 'receipt seen'],
  ['C8 after the receipt is written, before its verdict', 'receipt recorded'],
  ['C9 after the outcome is stored, before the answer', 'outcome stored'],
  ['C9 when the answer is ready', 'answer ready'],
]

const deploySteps: [string, string][] = [
  ['after the intent is stored', 'intent stored'],
  ['C10 after the repository is created, before that is written', 'repository created'],
  ['C10 after the repository is written', 'repository recorded'],
  ['after the deploy is queued', 'deploy queued'],
  ['C1 before the nonce is stored', 'attempt signed'],
  ['C2 after the nonce is stored, before sending', 'attempt stored'],
  ['C11 after the deploy is sent, before that is written', 'attempt sent'],
  ['C11 after the sending is written', 'send recorded'],
  ['C5 after a replacement is stored, before it is sent', 'replacement stored'],
  ['C6 after a replacement is sent', 'replacement sent'],
  ['C7 after the receipt is seen, before it is written', 'receipt seen'],
  ['C8 after the receipt is written, before its verdict', 'receipt recorded'],
  ['C9 after the outcome is stored, before the answer', 'outcome stored'],
  ['C9 when the answer is ready', 'answer ready'],
]

const needsReplacement = (step: string) => step.startsWith('replacement')

/** Killed at every step of a payout, and started again. */
export const payoutsKilled = payoutSteps.map(([name, step]) => ({
  ...crash(name, { step, nth: 1, action: 'kill' }, 1),
  act: (scene: Scene) => pay(scene, step),
}))

/** Stopped at every step past the lease, while another process takes over, and going on then. */
export const payoutsStopped = payoutSteps.map(([name, step]) => ({
  ...crash(name, { step, nth: 1, action: 'stop' }, 2),
  act: (scene: Scene) => pay(scene, step),
}))

export const deploysKilled = deploySteps.map(([name, step]) => ({
  ...crash(name, { step, nth: 1, action: 'kill' }, 1),
  act: (scene: Scene) => deploy(scene, step),
}))

export const deploysStopped = deploySteps.map(([name, step]) => ({
  ...crash(name, { step, nth: 1, action: 'stop' }, 2),
  act: (scene: Scene) => deploy(scene, step),
}))

/** Every place expects the same: whichever process gets there first is the one that it happens to. */
function crash(name: string, one: Switch, processes: number): Omit<Directed, 'act'> {
  return {
    name,
    staging: {
      berths: Array.from({ length: processes }, () => [[one]]),
      // A receipt is written before its verdict only where the verdict needs more blocks.
      confirmations: 2,
      blockMs: 100,
      sleepMs: 1900,
    },
  }
}

async function pay(scene: Scene, step: string): Promise<void> {
  approveAll(scene, [0])
  await replaceIfNeeded(scene, step)
  await payoutIs(scene.stage, 0, 'settled')
  await mustHaveStruck(scene, step)
}

async function deploy(scene: Scene, step: string): Promise<void> {
  const { stage } = scene
  activateAll(scene, [0])
  await replaceIfNeeded(scene, step)
  const { id } = stage.ground.proposals[0]!
  await until('the project is active', async () => {
    const query = stage.db.selectFrom('projects').select('status').where('id', '=', id)
    return (await query.executeTakeFirst())?.status === 'active'
  })
  await mustHaveStruck(scene, step)
}

/** The node refuses the fees until they are raised. */
async function replaceIfNeeded({ stage }: Scene, step: string): Promise<void> {
  if (!needsReplacement(step)) return
  stage.rpc.arm({
    on: 'send',
    after: 0,
    times: 1e6,
    fault: { kind: 'wording', wording: 'underpriced', node: 'geth', accepted: false },
  })
  await until('somebody crashed at the replacement', async () => stage.fleet.hits() > 0)
  stage.rpc.heal()
}

/** A schedule in which nobody crashed would prove nothing. */
async function mustHaveStruck({ stage }: Scene, step: string): Promise<void> {
  await until(`somebody crashed at: ${step}`, async () => stage.fleet.hits() > 0)
}
