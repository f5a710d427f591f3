import { expect, test } from 'vitest'
import { createFixture } from './support/fixture.ts'
import { sentAfterKill, sentByTwo } from './support/processes.ts'

// Deliveries are promised at least once. Once each is what a machine does that is not so busy that a lease runs out.

const fixture = await createFixture()

test('two processes send each event once', async () => {
  const { sent, received } = await sentByTwo(fixture)
  expect(received.toSorted()).toEqual(sent.toSorted())
})

test('nothing that a killed process has recorded is sent again', async () => {
  const { sent, received } = await sentAfterKill(fixture, 'deliveries recorded', 1)
  expect(received.toSorted()).toEqual(sent.toSorted())
})
