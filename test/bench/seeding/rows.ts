import { createRandom, type Random } from '../../support/random.ts'
import { createTexts } from './text.ts'
import { zipf } from './zipf.ts'

/** How many rows to make. */
export interface Sizes {
  agents: number
  projects: number
  bounties: number
}

/** A million bounties belong to five thousand projects and a hundred thousand agents. */
export function sizesFor(bounties: number): Sizes {
  return {
    agents: Math.min(100_000, Math.max(500, bounties)),
    projects: Math.max(50, Math.round(bounties / 200)),
    bounties,
  }
}

/** Ids that follow from the position alone look like real ones and are found again without asking. */
export const ids = {
  agent: (position: number) => `agent_${scramble(position)}`,
  project: (position: number) => `proj_${scramble(position)}`,
  bounty: (position: number) => `bnt_${scramble(position)}`,
  submission: (position: number) => `sub_${scramble(position)}`,
  activity: (position: number) => `act_${scramble(position)}`,
}

const difficulties = ['easy', 'easy', 'medium', 'medium', 'medium', 'hard', 'hard', 'extreme'] as const

export type BountyStatus = 'open' | 'claimed' | 'in_review' | 'done'

/** A marketplace of some age: most work is done, a third waits, the rest is on its way. */
function statusOf(random: Random): BountyStatus {
  const value = random.next()
  if (value < 0.55) return 'done'
  if (value < 0.9) return 'open'
  return value < 0.96 ? 'claimed' : 'in_review'
}

/** A bounty and what belongs to it. */
export interface SeedBounty {
  position: number
  project: number
  title: string
  description: string
  reward: number
  difficulty: (typeof difficulties)[number]
  status: BountyStatus
  /** Position of the claimant. */
  agent: number | undefined
  /** Seconds before the end of the seeded time. */
  age: number
  /** How often it was submitted and rejected before. */
  rejections: number
}

/** Seconds that the seeded history lasts. */
export const historySeconds = 2 * 365 * 24 * 3600

/** Bounties from the oldest to the newest. */
export function* seedBounties({ agents, projects, bounties }: Sizes): Generator<SeedBounty> {
  const random = createRandom(42)
  const texts = createTexts()
  const projectRank = zipf(projects, 0.9)
  for (let position = 0; position < bounties; position++) {
    const status = statusOf(random)
    yield {
      position,
      project: projectRank(random),
      title: texts.title(random),
      description: texts.description(random, position),
      reward: 10 * (1 + random.below(1000)),
      difficulty: random.pick(difficulties),
      status,
      // An agent may have one claim a project: those of a running claim are given out in turn.
      agent: status === 'open' ? undefined : position % agents,
      age: historySeconds * (1 - (position + random.next()) / bounties),
      rejections: random.next() < 0.2 ? 1 + random.below(3) : 0,
    }
  }
}

/** Names and descriptions of projects. */
export function* seedProjects({ projects }: Sizes): Generator<{
  position: number
  name: string
  description: string
}> {
  const random = createRandom(43)
  const texts = createTexts()
  for (let position = 0; position < projects; position++)
    yield { position, name: texts.title(random), description: texts.description(random, position) }
}

/** Twenty characters of base 36 from a number, without order or pattern. */
function scramble(position: number): string {
  const random = createRandom(position * 2 + 1)
  const part = () =>
    Math.floor(random.next() * 36 ** 5)
      .toString(36)
      .padStart(5, '0')
  // The position itself makes it unique.
  return `${part()}${part()}${part()}${position.toString(36).padStart(5, '0')}`
}
