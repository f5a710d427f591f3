import { expect, test } from 'vitest'
import {
  branchFor,
  type ClaimedWork,
  isForOthers,
  isOfAgent,
  isWorkOf,
  type MergeFacts,
  mergeOf,
  mergeRows,
} from '../../../server/lifecycle/pull-requests/attribution.ts'

const agent_id = `agent_${'1'.repeat(20)}`
const bounty_id = `bnt_${'2'.repeat(20)}`
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)

/** Merged by the founder in the claim. */
const pull: MergeFacts = {
  merged: true,
  opened_at: at(5),
  merged_at: at(20),
  merged_by_itself: true,
  merged_by_id: 8,
  merge_commit_sha: 'c'.repeat(40),
  author_id: 7,
  fork_owner_id: null,
}
/** Its commit was found in the default branch. */
const pushed = { merged_by_id: null, merge_commit_sha: null }
const work: ClaimedWork = { is_attributed: true, merge_counts_from: at(10) }

const cases: [ReturnType<typeof mergeOf>, string, Partial<MergeFacts>, Partial<ClaimedWork>?][] = [
  ['accepted', 'of what is the agent’s', {}],
  ['accepted', 'by a push', pushed],
  ['accepted', 'by somebody whom the host does not name', { merged_by_id: null }],
  ['accepted', 'by a push, of work that nobody knows who wrote', { ...pushed, author_id: null }],
  [
    'accepted',
    'of what an App opened for the owner of its fork',
    { author_id: 49_699_333, fork_owner_id: 7 },
  ],
  ['accepted', 'just as the claim began', { merged_at: at(10) }],
  [
    'accepted',
    'in the second in which the claim began, of what was opened in it',
    { opened_at: at(10), merged_at: at(10) },
    { merge_counts_from: at(10.4) },
  ],
  [
    'older work',
    'in the second in which the claim began, of what was there before',
    { opened_at: at(9), merged_at: at(10) },
    { merge_counts_from: at(10.4) },
  ],
  [
    'older work',
    'in that second, where the host does not say when it was opened',
    { opened_at: null, merged_at: at(10) },
    { merge_counts_from: at(10.4) },
  ],
  ['unmerged', 'of nothing', { merged: false, merged_at: null }],
  ['older work', 'before the claim', { merged_at: at(9) }],
  ['older work', 'at a time that the host does not say', { merged_at: null }],
  ['merged with others', 'of commits that another account has, too', { merged_by_itself: false }],
  ['merged by its author', 'by its author', { merged_by_id: 7 }],
  [
    'merged by its author',
    'by who opened it from the fork of another',
    { merged_by_id: 7, fork_owner_id: 99 },
  ],
  [
    'merged by its author',
    'by the owner of its fork, for whom an App opened it',
    { merged_by_id: 6, fork_owner_id: 6 },
  ],
  ["somebody's work", 'of what names nobody', {}, { is_attributed: false }],
]

test.each(cases)('%s: a merge %s', (expected, _, facts, claimed) => {
  expect(mergeOf({ ...pull, ...facts }, { ...work, ...claimed })).toBe(expected)
})

test('every row of the table is among these', () => {
  const known = new Set(cases.map(([is]) => is))
  expect([...known].sort()).toEqual(['accepted', ...mergeRows.map(({ is }) => is)].sort())
})

const branch = `${agent_id}/${bounty_id}`

test.each([
  ['agent and bounty', branch, 'is its work'],
  ['agent and bounty, and goes on with a number', `${branch}-2`, 'is its work'],
  ['agent and bounty, and goes on with a path', `${branch}/weeks`, 'is its work'],
  ['the agent alone', agent_id, "is the agent's"],
  ['the agent, and something else', `${agent_id}/weeks`, "is the agent's"],
  ['the agent, and something that only begins like the bounty', `${branch}0`, "is the agent's"],
  ['another agent', branch.replaceAll('1', '3'), "is others'"],
  ['another bounty', branch.replaceAll('2', '3'), "is others'"],
  ['another agent alone', `agent_${'3'.repeat(20)}`, "is others'"],
  ['nobody', 'weeks', "is nobody's"],
  ['nobody at its beginning', `x/${branch}`, "is nobody's"],
  ['nobody, as its id goes on', `${agent_id}0/${bounty_id}`, "is nobody's"],
  ['nobody, as its id is in capitals', branch.toUpperCase(), "is nobody's"],
])('a branch that names %s: %s', (_, head_ref, expected) => {
  const found = [
    isWorkOf({ head_ref }, agent_id, bounty_id),
    isOfAgent({ head_ref }, agent_id, bounty_id),
    isForOthers({ head_ref }, agent_id, bounty_id),
  ]
  const meant = {
    'is its work': [true, true, false],
    "is the agent's": [false, true, false],
    "is others'": [false, false, true],
    "is nobody's": [false, false, false],
  }
  expect(found).toEqual(meant[expected as keyof typeof meant])
})

test('the branch for the work of an agent on a bounty names both', () => {
  expect(branchFor(agent_id, bounty_id)).toBe(branch)
})
