/** @module-tag git */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runService, temporaryDirectory } from '../support.ts'
import { clone, gitAll, platformToken, requestToken, startMarketplace } from './git-client.ts'
import { caller, newRepository, start } from './support.ts'

const base = '/repos/acme/rocket'
const squash = { merge_method: 'squash' }

test.each([1, 2, 3])(
  'kill %i during pushes and merges loses nothing that was acknowledged',
  async (round) => {
    const directory = await temporaryDirectory()
    const { url: marketplaceUrl } = await startMarketplace()
    const options = { directory, port: 0, organization: 'acme', token: platformToken, marketplaceUrl }
    // The tokens come from a host on the same folder, whose secret stays.
    const first = await start({ directory, git: true, token: platformToken })
    first.connectTo(marketplaceUrl)
    const token = (await requestToken(first.webUrl, 'key-ada')).body.token ?? ''
    await first.call('POST', '/orgs/acme/repos', newRepository)
    const address = `${first.webUrl}/acme/rocket.git`
    const work = await clone(address, token)
    const shas: string[] = []
    for (let n = 1; n <= 6; n++) {
      await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
      shas.push(await work.commit({ [`file-${n}`]: 'x' }))
    }
    await work.push(...shas.slice(0, 3).map((sha, index) => `${sha}:refs/heads/agent_ada/b${index + 1}`))
    for (const n of [1, 2, 3])
      await first.call('POST', `${base}/pulls`, { title: 't', head: `agent_ada/b${n}`, base: 'main' })
    await first.stop()

    const killed = await runService<{ apiUrl: string }>('github', options)
    const call = caller(killed.value.apiUrl, platformToken)
    const merged: string[] = []
    const pushed: string[] = []
    const merges = (async () => {
      for (const n of [1, 2, 3]) {
        const { status, body } = await call('PUT', `${base}/pulls/${n}/merge`, squash)
        if (status === 200) merged.push(body.sha)
        if (n === round) void killed.kill()
      }
    })().catch(() => undefined)
    const pushes = (async () => {
      for (const [index, sha] of shas.entries())
        if (index >= 3 && (await work.push(`${sha}:refs/heads/agent_ada/p${index}`)).code === 0)
          pushed.push(`p${index}`)
    })()
    await Promise.all([merges, pushes])
    expect(merged.length).toBeGreaterThanOrEqual(Math.min(round, 2))

    const second = await start({ directory, git: true, token: platformToken })
    const after = await clone(`${second.webUrl}/acme/rocket.git`)
    for (const sha of merged) await after.gitAll(['merge-base', '--is-ancestor', sha, 'origin/main'])
    for (const branch of pushed) await after.gitAll(['rev-parse', '--verify', `origin/agent_ada/${branch}`])
    const pulls = (await second.call('GET', `${base}/pulls?state=all`)).body as { merged_at: string | null }[]
    expect(await after.gitAll(['rev-list', '--count', 'origin/main'])).toBe(
      String(1 + pulls.filter(({ merged_at }) => merged_at !== null).length),
    )
    await gitAll(join(directory, 'repositories/1.git'), ['fsck', '--strict'])
  },
)
