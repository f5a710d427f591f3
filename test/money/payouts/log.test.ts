import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const lines: Record<string, unknown>[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).split('\n').filter(Boolean)) lines.push(JSON.parse(line))
    done()
  },
})
const market = await createTestMarket({ log: pino({ level: 'info' }, destination) })

/** What the log tells of a submission or project, in order. */
function story(entityId: string): unknown[] {
  return lines.filter((line) => line.entityId === entityId).map(({ msg }) => msg)
}

/**
 * Expects these lines, in this order but for those of one step: the request may see the stored outcome before the lane has
 * logged it.
 */
async function expectStory(entityId: string, steps: string[][]): Promise<void> {
  await until(async () => story(entityId).length >= steps.flat().length)
  const told = story(entityId)
  for (const step of steps) expect(told.splice(0, step.length).sort()).toEqual([...step].sort())
  expect(told).toEqual([])
}

test('a payout can be followed from the request to its answer by the id of its submission', async () => {
  const bounty = await market.bountyInReview()
  const { headers, body } = await market.act(bounty, 'approve', bounty.founder, {})
  await expectStory(bounty.submissionId, [
    ['approval stored; its payout begins'],
    ['a transaction got its nonce'],
    ['a transaction is confirmed', 'approval request ends with this outcome'],
  ])
  const chainId = await market.chain.node.getChainId()
  expect(lines.find(({ msg }) => msg === 'approval stored; its payout begins')).toMatchObject({
    request_id: headers.get('x-request-id'),
    entityId: bounty.submissionId,
    payout_id: payoutIdOf(chainId, bounty.id),
  })
  expect(
    lines.find(
      ({ msg, entityId }) => msg === 'a transaction is confirmed' && entityId === bounty.submissionId,
    ),
  ).toMatchObject({ purpose: 'payout', hash: body.contributor_tx_hash })
  expect(lines.find(({ msg }) => msg === 'approval request ends with this outcome')).toMatchObject({
    request_id: headers.get('x-request-id'),
    state: 'settled',
  })
})

test('an activation can be followed by the id of its project', async () => {
  const project = await market.activeProject()
  await expectStory(project.id, [
    ['activation stored or joined'],
    ['a transaction got its nonce'],
    ['a transaction is confirmed', 'activation request ends with this outcome'],
  ])
  const told = lines.find(
    ({ msg, entityId }) => msg === 'activation stored or joined' && entityId === project.id,
  )
  expect(told?.request_id).toMatch(/^req_/)
})
