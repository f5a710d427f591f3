import { expect, test } from 'vitest'
import {
  type ClaimedWork,
  countsSinceClaim,
  knownPull,
  type MergeFacts,
  mergeOf,
  mergeRows,
} from '../../server/lifecycle/attribution.ts'

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
  author_id: 7,
}
const work: ClaimedWork = { is_attributed: true, merge_counts_from: at(10) }

const cases: [ReturnType<typeof mergeOf>, string, Partial<MergeFacts>, Partial<ClaimedWork>?][] = [
  ['accepted', 'of what was known to be the agent’s', {}],
  ['accepted', 'by somebody whom the host does not name', { merged_by_id: null }],
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
  ['merged by its author', 'of a deleted account, by nobody', { merged_by_id: null, author_id: null }],
  ["somebody's work", 'of what was not known before to be the agent’s', {}, { is_attributed: false }],
]

test.each(cases)('%s: a merge %s', (expected, _, facts, claimed) => {
  expect(mergeOf({ ...pull, ...facts }, { ...work, ...claimed })).toBe(expected)
})

test('every row of the table is among these', () => {
  const known = new Set(cases.map(([is]) => is))
  expect([...known].sort()).toEqual(['accepted', ...mergeRows.map(({ is }) => is)].sort())
})

test.each([
  ['the claim', 'it is not merged yet', false, true, false],
  ['the claim', 'it was seen', true, false, true],
  ['the submission', 'it is merged, and only now something says whose it is', true, true, false],
  ['the submission', 'nothing says whose it is', false, false, false],
])('merges count since %s where %s', (since, _, merged, isAttributed, wasSeen) => {
  expect(countsSinceClaim({ merged }, isAttributed, wasSeen)).toBe(since === 'the claim')
})

const open = { number: 7, merged_at: null, author_login: 'ada', named_ids: [agent_id, bounty_id] }
test.each([
  ['that names agent and bounty', {}, 7],
  ['of the agent, that names the bounty', { author_login: agent_id, named_ids: [bounty_id] }, 7],
  ['of the agent, that names no bounty', { author_login: agent_id, named_ids: [] }, null],
  ['that names another bounty, too', { named_ids: [agent_id, bounty_id, `bnt_${'4'.repeat(20)}`] }, null],
  ['that is merged', { merged_at: at(20) }, null],
])('an open pull request %s is known', (_, work, known) => {
  expect(knownPull({ ...open, ...work }, agent_id, bounty_id)).toBe(known)
})
