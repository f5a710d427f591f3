import { describe, expect, test } from 'vitest'
import { type Edge, edges } from '../../server/lifecycle/edges.ts'

/** A bounty, and the submission that is in review. */
interface State {
  bounty: string
  submission: string | null
}

const all: Edge[] = Object.values(edges)
const nameOf = ({ bounty, submission }: State) => (submission ? `${bounty}, ${submission}` : bounty)

/** The states that one of the edges leads to. */
function next({ bounty, submission }: State, by: (role: Edge['by']) => boolean): State[] {
  return all
    .filter((edge) => by(edge.by) && (edge.bounty[0] as readonly string[]).includes(bounty))
    .filter((edge) => (edge.submission ? edge.submission[0] === submission : submission === null))
    .map((edge) => {
      const [, to] = edge.bounty
      return { bounty: to, submission: to === 'in_review' ? (edge.submission?.[1] ?? submission) : null }
    })
}

function reachable(from: State, by: (role: Edge['by']) => boolean = () => true): State[] {
  const found = new Map([[nameOf(from), from]])
  for (const state of found.values())
    for (const to of next(state, by)) if (!found.has(nameOf(to))) found.set(nameOf(to), to)
  return [...found.values()]
}

const states = reachable({ bounty: 'open', submission: null })
const over = ['done', 'cancelled']

test('every status is reached', () => {
  expect(states.map(nameOf).toSorted()).toEqual(
    ['open', 'claimed', 'in_review, pending', 'in_review, approving', 'done', 'cancelled'].toSorted(),
  )
})

describe('from every state each party reaches an end alone, where the chain decides about a payment that runs', () => {
  test.each(states.map((state) => [nameOf(state), state] as const))('%s', (_, state) => {
    const ends = (roles: Edge['by'][], isEnd: (state: State) => boolean) =>
      reachable(state, (role) => role === 'a payment' || roles.includes(role)).some(isEnd)
    // The founder has paid, or has the tokens back.
    expect(ends(['founder'], ({ bounty }) => over.includes(bounty))).toBe(true)
    // The agent is paid, or free for other work.
    expect(ends(['claimant', 'contributor'], ({ bounty }) => ['open', ...over].includes(bounty))).toBe(true)
  })

  test('a claim, by the clock alone', () => {
    const [claimed] = states.filter(({ bounty }) => bounty === 'claimed') as [State]
    expect(reachable(claimed, (role) => role === 'the clock').map(nameOf)).toContain('open')
  })
})
