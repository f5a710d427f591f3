import { payAnother, reorganiseSettled, settleByHand } from './finale.ts'
import { approveAll, askToApprove, byHand, type Directed, mempoolHas, payoutIs, until } from './helpers.ts'

const first = 0

/** What the chain can do to a payment that is settled, when nothing else is on its way. */
export const afterSettlement: Directed[] = [
  { confirmations: 1, heads: 2 },
  { confirmations: 3, heads: 3 },
].map(({ confirmations, heads }) => ({
  name: `a reorganisation takes a payment ${heads} blocks after ${confirmations} confirmed it, while nothing else is on its way: sent again, paid once`,
  staging: { ...byHand, confirmations },
  async act(scene) {
    await settleByHand(scene, first, confirmations)
    await reorganiseSettled(scene, first, heads)
  },
}))

/** A database that falls back behind the chain while the service goes on. */
const behindTheChain: Directed[] = [
  {
    name: 'the database falls back behind a payment and the founder rejects the work that is paid: nobody else is paid, and a person is called',
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await payoutIs(stage, first, 'settled')
      await stage.fallBack()
      scene.errand(() => payAnother(scene, first))
    },
  },
  ...[false, true].map(
    (isRestarted): Directed => ({
      name: `the database falls back while a payment waits in the mempool${isRestarted ? ', the service is restarted' : ''}, and the founder rejects the work: nobody else is paid, and a person is called`,
      staging: byHand,
      async act(scene) {
        const { stage } = scene
        const asked = askToApprove(scene, first)
        await mempoolHas(stage, 1)
        await stage.fallBack()
        stage.hangUp()
        await asked
        if (isRestarted) {
          stage.fleet.kill(0)
          await until('a new process serves', async () => stage.fleet.hits() > 0 && stage.fleet.isServing(0))
        }
        await payAnother(scene, first, async () => {
          await stage.node.mine({ blocks: 1 })
          stage.miner.speed(150)
        })
      },
    }),
  ),
]

/** What happens after a payment. */
export const afterPayment: Directed[] = [...afterSettlement, ...behindTheChain]
