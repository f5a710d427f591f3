import { parseEther, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { completeParameters, predictDeployment } from '../../../../server/money/chain/deploy/predict.ts'

const deployer = '0x52908400098527886E0F7030069857D2E4169EE7'
const owner = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const treasury = '0xde709f2102306220921060314715629080e2fb77'

test('without parameters the deployer owns the contracts and receives the fees', () => {
  expect(completeParameters({}, deployer)).toEqual({
    owner: deployer,
    treasury: deployer,
    bountyReserveBps: 1000,
    curveFeeBps: 100,
    startFdv: parseEther('1'),
    endFdv: parseEther('100'),
    dollar: zeroAddress,
    dollarDailyCap: 5_000_000_000n,
  })
})

test('the treasury is the owner by default; 0 is a value', () => {
  const complete = completeParameters({ owner, bountyReserveBps: 0, curveFeeBps: undefined }, deployer)
  expect(complete).toMatchObject({ owner, treasury: owner, bountyReserveBps: 0, curveFeeBps: 100 })
})

test('every parameter changes every address, the letter case of an address none', () => {
  const base = { owner, treasury, bountyReserveBps: 500, curveFeeBps: 50, startFdv: 1n, endFdv: 2n } as const
  const addresses = (given: Parameters<typeof completeParameters>[0]) =>
    Object.values(predictDeployment(completeParameters({ ...base, ...given }, deployer)))
  const changes = [
    {},
    { owner: deployer },
    { treasury: deployer },
    { bountyReserveBps: 501 },
    { curveFeeBps: 51 },
    { startFdv: 2n },
    { endFdv: 3n },
    { dollar: owner },
    { dollarDailyCap: 1n },
  ] as const
  expect(new Set(changes.flatMap(addresses)).size).toBe(4 * changes.length)
  expect(addresses({ owner: owner.toLowerCase() as typeof owner })).toEqual(addresses({}))
})
