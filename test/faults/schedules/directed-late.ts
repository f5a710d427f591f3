import { payAnother, reorganiseSettled, settleByHand } from './final-fault.ts'
import { approveAll, askToApprove, byHand, type Directed, mempoolHas, payoutIs, until } from './helpers.ts'

const first = 0

/** What the chain can do to a payment that is settled, when nothing else is on its way. */
export const afterSettlement: Directed[] = [
  { confirmations: 1, heads: 2 },
  { confirmations: 3, heads: 3 },
].map(({ confirmations, heads }) => ({
  name: `a reorganisation takes a payment ${heads} blocks after ${confirmations} confirmed it, while nothing else is on its way: sent again, paid once`,
  options: { ...byHand, confirmations },
  async act(scenario) {
    await settleByHand(scenario, first, confirmations)
    await reorganiseSettled(scenario, first, heads)
  },
}))

/** A database that falls back behind the chain while the service goes on. */
const behindTheChain: Directed[] = [
  // Requesting changes ends a review as rejecting does; random schedules do that.
  ...(['rejected', 'retracted'] as const).map(
    (how): Directed => ({
      name: `the database falls back behind a payment and the review of the work that is paid ends as ${how}: nobody else is paid`,
      async act(scenario) {
        const { environment } = scenario
        approveAll(scenario, [first])
        await payoutIs(environment, first, 'settled')
        await environment.fallBack()
        scenario.inBackground(() => payAnother(scenario, first, how))
      },
    }),
  ),
  ...(
    [
      ['rejected', false],
      ['rejected', true],
      ['retracted', false],
    ] as const
  ).map(
    ([how, isRestarted]): Directed => ({
      name: `the database falls back while a payment waits in the mempool${isRestarted ? ', the service is restarted' : ''}, and the review ends as ${how}: nobody else is paid`,
      options: byHand,
      async act(scenario) {
        const { environment } = scenario
        const asked = askToApprove(scenario, first)
        await mempoolHas(environment, 1)
        await environment.fallBack()
        environment.hangUp()
        await asked
        if (isRestarted) {
          environment.fleet.kill(0)
          await until(
            'a new process serves',
            async () => environment.fleet.hits() > 0 && environment.fleet.isServing(0),
          )
        }
        await payAnother(scenario, first, how, async () => {
          await environment.node.mine({ blocks: 1 })
          environment.miner.speed(150)
        })
      },
    }),
  ),
]

/** What happens after a payment. */
export const afterPayment: Directed[] = [...afterSettlement, ...behindTheChain]
