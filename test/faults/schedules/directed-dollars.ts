import { approveAll, cancelAll, type Directed, isRefunded, payoutIs } from './helpers.ts'
import { finalise } from './withdrawing.ts'

/** What the chain and the database can do to dollars. */
export const ofDollars: Directed[] = [
  {
    name: 'the chain takes a refund back that was reported: it is made again, once',
    options: { confirmations: 1 },
    async act(scenario) {
      const { environment } = scenario
      cancelAll(scenario, [0])
      await isRefunded(environment, 0)
      await environment.node.reorganise(2)
    },
  },
  {
    name: 'the database falls back behind a payment with dollars and a refund: both are found, and neither is made again',
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [0, 3])
      cancelAll(scenario, [0, 1])
      await payoutIs(environment, 0, 'settled')
      await payoutIs(environment, 3, 'settled')
      await isRefunded(environment, 0)
      await isRefunded(environment, 1)
      await environment.fallBack()
      for (const { id } of environment.fixture.submissions) environment.mayBeOver.add(id)
      approveAll(scenario, [0, 3], false)
      await finalise(environment)
      await isRefunded(environment, 0)
      await isRefunded(environment, 1)
    },
  },
]
