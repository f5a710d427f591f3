import { expect, test } from 'vitest'
import { pullRequestFacts } from '../../server/board/pages/pull-request-facts.ts'

type Pull = Parameters<typeof pullRequestFacts>[0]
const head = 'a'.repeat(40)
const checksShown = (checks: Partial<Pull['checks']>) => {
  const pull: Pull = {
    state: 'open',
    draft: false,
    merged: false,
    merge_commit_sha: null,
    mergeable: true,
    base_ref: 'main',
    into_default: true,
    head_sha: head,
    submitted_head_sha: head,
    author: null,
    names_claimant: true,
    additions: 1,
    deletions: 0,
    changed_files: 1,
    updated_at: '2026-11-01T10:00:00.000Z',
    checks: { state: 'success', failed: [], neutral: [], skipped: [], total: 1, ...checks },
  }
  const facts = pullRequestFacts(pull, 'https://host.example/acme/rocket/pull/1')
  return JSON.stringify(facts.find(([label]) => label === 'Checks')?.[1])
}

test('checks that are unknown are shown as no success, with their number', () => {
  expect(checksShown({ state: 'unknown', total: 700 })).toMatch(/"unknown","tone":"bad".* of 700/)
  expect(checksShown({ state: 'unknown', total: null })).not.toContain(' of ')
})

test('skipped and neutral ones are shown as what they are', () => {
  expect(checksShown({ skipped: ['docs'], neutral: ['lint'] })).toMatch(
    /"success".*neutral:.*"foreign":"lint".*skipped:.*"foreign":"docs"/,
  )
})
