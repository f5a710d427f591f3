import { expect, test } from 'vitest'
import { readDiff } from '../../../sdk/src/git/index.ts'
import { startServer } from '../../support/server.ts'

test('a diff is read up to its limit, and an endless one ends there', async () => {
  const host = await startServer((request, response) => {
    if (request.url === '/short.diff') return response.end('+++ b/a.test.ts\n')
    if (request.url === '/refused.diff') return response.writeHead(406).end()
    if (request.url !== '/endless.diff') return response.writeHead(500).end()
    const more = () => {
      while (!response.destroyed && response.write('+'.repeat(1_000)));
    }
    response.on('drain', more)
    more()
  })
  const { url } = host
  expect(await readDiff(`${url}/short`, 16)).toBe('+++ b/a.test.ts\n')
  expect(await readDiff(`${url}/short`, 15)).toBeUndefined()
  expect(await readDiff(`${url}/endless`, 100_000)).toBeUndefined()
  expect(await readDiff(`${url}/refused`, 100_000)).toBeUndefined()
  await expect(readDiff(`${url}/broken`, 100_000)).rejects.toThrow('/broken.diff: 500')
  await host.close()
})
