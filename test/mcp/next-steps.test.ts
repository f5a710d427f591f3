import { expect, test } from 'vitest'
import { afterFacts } from '../../server/mcp/tools/next-steps.ts'

const submission = { pr_url: 'https://github.com/acme/parser/pull/7', status: 'pending' }
const facts = {
  state: 'open',
  draft: false,
  merged: false,
  names_claimant: true,
  head_sha: 'a'.repeat(40),
  submitted_head_sha: 'a'.repeat(40),
}
const after = (changes: object, status = 'pending') =>
  afterFacts({ pull_request: { ...facts, ...changes }, submission: { ...submission, status } })

test('a pull request without doubts is read and decided about', () => {
  expect(after({})).toMatch(/^Read the diff of head_sha: .*pull\/7\/head/)
})

test.each([
  ['merged already', { state: 'closed', merged: true }, /^It is merged already: other_submissions/],
  ['closed', { state: 'closed' }, /^It is closed\. /],
  ['a draft', { draft: true }, /^It is a draft\. /],
  ['of another author, it seems', { names_claimant: false }, /^Its branch does not name this bounty/],
  ['changed since its submission', { submitted_head_sha: 'b'.repeat(40) }, /^Its newest commit is not/],
])('a pending submission whose pull request is %s says so before the decision', (_, changes, text) => {
  expect(after(changes)).toMatch(text)
})

test.each([
  ['approved', { merged: true }, 'It is paid and merged. There is nothing to do.'],
  ['approved', {}, /call merge/],
  ['rejected', {}, /ended without pay/],
  ['retracted', {}, /There is nothing to do/],
])('a submission that is %s leads to no payment', (status, changes, text) => {
  expect(after(changes, status)).toMatch(text)
  expect(after(changes, status)).not.toContain('approve')
})
