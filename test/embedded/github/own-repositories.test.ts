/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from '../../support/leaks/closing.ts'
import { until } from '../../support/until.ts'
import { clone, platformToken, startWithGit } from './git-client.ts'

let host: Awaited<ReturnType<typeof startWithGit>>
let count = 0
beforeAll(async () => {
  host = await startWithGit({ finish: afterFile, limits: { owned: 5 } })
})

/** A repository of agent_ada with a first commit on `main`. */
async function newRepository() {
  const name = `boat-${++count}`
  const { status, body } = await host.asAda('POST', '/user/repos', { name, description: 'Floats' })
  expect(status).toBe(201)
  const work = await clone(body.clone_url, host.ada)
  await work.commit({ 'README.md': '# boat\n' }, 'Begin')
  expect(await work.push('HEAD:refs/heads/main')).toMatchObject({ code: 0 })
  return { body, work, base: `/repos/agent_ada/${name}`, address: body.clone_url as string, name }
}

test('an agent makes a public repository under its id, and pushes to every branch but those of others', async () => {
  const { body, work, base, address } = await newRepository()
  expect(body).toMatchObject({
    full_name: `agent_ada/boat-${count}`,
    owner: { login: 'agent_ada' },
    private: false,
  })
  expect((await host.asBob('GET', `${base}/commits/main`)).status).toBe(200)
  expect(await work.push('HEAD:refs/heads/next', 'HEAD:refs/heads/agent_ada/x')).toMatchObject({ code: 0 })
  const stolen = await work.push('HEAD:refs/heads/agent_bob/x')
  expect(stolen.output).toContain('is not yours')
  const other = await clone(address, host.bob)
  await other.commit({ 'sail.txt': 'white' })
  expect((await other.push('HEAD:refs/heads/main')).output).toContain('GH006')
  expect((await other.push('HEAD:refs/heads/next')).output).toContain('is not yours')
  expect(await other.push('HEAD:refs/heads/agent_bob/sail')).toMatchObject({ code: 0 })
})

test('a merge that the owner pushes is its own, whatever name stands in the commit', async () => {
  const { work, base, address } = await newRepository()
  const other = await clone(address, host.bob)
  const sha = await other.commit({ 'sail.txt': 'white' })
  await other.push('HEAD:refs/heads/agent_bob/sail')
  const pull = { title: 'Sail', head: 'agent_bob/sail', base: 'main' }
  expect((await host.asBob('POST', `${base}/pulls`, pull)).status).toBe(201)
  await work.gitAll(
    ['fetch', '--quiet', 'origin', 'agent_bob/sail'],
    ['-c', 'user.name=agent_bob', 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'FETCH_HEAD'],
    ['-c', 'user.name=agent_bob', 'commit', '--quiet', '--amend', '--no-edit', '--reset-author'],
  )
  expect(await work.push('HEAD:refs/heads/main')).toMatchObject({ code: 0 })
  const { body } = await host.asBob('GET', `${base}/pulls/1`)
  expect(body).toMatchObject({ merged: true, head: { sha }, merged_by: { login: 'agent_ada' } })
  await until(() => host.deliveries.some(({ text }) => JSON.parse(text).action === 'closed'))
  const delivered = host.deliveries.find(({ text }) => JSON.parse(text).action === 'closed')
  expect(JSON.parse(delivered?.text ?? '{}')).not.toHaveProperty('organization')
})

test('a pull request that is set to a commit of an earlier merge is closed, and nobody has merged it', async () => {
  const { work, base, address } = await newRepository()
  await work.gitAll(['checkout', '--quiet', '-b', 'feature'])
  const merged = await work.commit({ 'oar.txt': 'long' })
  await work.gitAll(
    ['checkout', '--quiet', '--detach', 'HEAD~1'],
    ['merge', '--quiet', '--no-ff', '-m', 'Merge', merged],
  )
  expect(await work.push('HEAD:refs/heads/main')).toMatchObject({ code: 0 })
  const other = await clone(address, host.bob)
  await other.commit({ 'sail.txt': 'white' })
  await other.push('HEAD:refs/heads/agent_bob/sail')
  const pull = { title: 'Sail', head: 'agent_bob/sail', base: 'main' }
  expect((await host.asBob('POST', `${base}/pulls`, pull)).status).toBe(201)
  expect(await other.push(`+${merged}:refs/heads/agent_bob/sail`)).toMatchObject({ code: 0 })
  expect((await host.asBob('GET', `${base}/pulls/1`)).body).toMatchObject({
    state: 'closed',
    merged: false,
    head: { sha: merged },
  })
})

test('only where its owner has let it in is the service installed, and it writes nothing there', async () => {
  const { base, name } = await newRepository()
  const installed = async () => (await host.call('GET', `${base}/installation`)).status
  expect(await installed()).toBe(404)
  // A path of our own, which GitHub does not describe.
  const send = async (method: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${host.apiUrl}/user/installation/repositories/${name}`, { method, headers })).status
  }
  expect(await send('PUT', host.bob)).toBe(404)
  expect(await send('PUT', host.ada)).toBe(200)
  expect(await installed()).toBe(200)
  const headers = { authorization: `Bearer ${platformToken}`, 'content-type': 'application/json' }
  for (const [method, path] of [
    ['PUT', '/contents/README.md'],
    ['POST', '/pulls'],
    ['POST', '/merges'],
    ['PUT', '/collaborators/agent_bob'],
  ] as const) {
    const { status } = await fetch(host.apiUrl + base + path, { method, headers, body: '{}' })
    expect(status, path).toBe(403)
  }
  expect(await send('DELETE', host.ada)).toBe(204)
  expect(await installed()).toBe(404)
})

test('an agent has few of them, and none is found under the name of the organization', async () => {
  const { name } = await newRepository()
  expect((await host.asAda('POST', '/user/repos', { name })).status).toBe(422)
  expect((await host.asBob('POST', '/user/repos', { name: 'x.git' })).status).toBe(422)
  expect((await host.call('GET', `/repos/acme/agent_ada%2F${name}`)).status).toBe(404)
  expect((await host.call('POST', '/user/repos', { name: 'platform' })).status).toBe(403)
})
