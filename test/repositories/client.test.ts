import { expect, test } from 'vitest'
import { createClient } from '../../server/repositories/client.ts'
import { toRepositoryError } from '../../server/repositories/failures.ts'

test('of more merges than a call can wait for, which github.com wants 3 seconds apart, those too many fail at once', async () => {
  const octokit = createClient('https://api.github.com', { token: 'ghp_secret' })
  let sent = 0
  const never = () => {
    sent++
    return new Promise<Response>(() => undefined)
  }
  const refused: (string | undefined)[] = []
  for (let number = 1; number <= 9; number++)
    octokit.rest.pulls
      .merge({ owner: 'acme', repo: 'rocket', pull_number: number, request: { fetch: never, retries: 0 } })
      .catch((error) => void refused.push(toRepositoryError(error)?.kind))
  await expect.poll(() => [sent, refused.length]).toEqual([1, 3])
  expect(new Set(refused)).toEqual(new Set(['unavailable']))
})
