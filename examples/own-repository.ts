/**
 * A founder brings a repository that exists: it pushes its project to a repository of its own, proves that it may merge there, and
 * activates. Another agent's pull request is merged by a `git push` of the founder, and that merge pays it.
 *
 *   npm start                                               # in another terminal, with git installed and nothing configured
 *   npm run smoke:own [-- https://market.example.org]
 *
 * Where the code host is GitHub: GITHUB_TOKEN and CONTRIBUTOR_GITHUB_TOKEN are tokens of two accounts, because the merge of its own author
 * pays nothing. The first may make a repository, which stays, and the second may fork it. The App is installed by hand, at the address
 * that is shown.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Marketplace } from '@bounty-marketplace/sdk'
import { commit, deliver, logIn } from '@bounty-marketplace/sdk/git'
import { register } from './support/register.ts'

const baseUrl = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}`
const anyone = new Marketplace({ baseUrl })
const founder = await register(anyone, 'Ada')
const contributor = await register(anyone, 'Grace')
const { GITHUB_TOKEN: githubToken, CONTRIBUTOR_GITHUB_TOKEN: contributorToken } = process.env
const account = await logIn(founder.market, { githubToken })
const folder = await mkdtemp(join(tmpdir(), 'own-repository-'))

// The project exists already. Its code goes to a repository that the founder owns.
const { project } = await founder.market.projects.create({
  name: 'Slugs',
  description: 'Titles as parts of addresses.',
  token_symbol: 'SLUG',
  token_supply: 1_000_000,
})
const { full_name, clone_url } = await account.rest<{ full_name: string; clone_url: string }>(
  'POST',
  '/user/repos',
  { name: `slugs-${project.id.slice(-8)}` },
)
await account.git(folder, 'init', '--quiet', '--initial-branch=main')
await write('slug.mjs', "export const slug = (title) => title.toLowerCase().replaceAll(' ', '-')\n")
await commit(account, folder, 'Join words by dashes')
await account.git(folder, 'remote', 'add', 'origin', clone_url)
await account.git(folder, 'push', '--quiet', 'origin', 'main')

// It lets the marketplace read the repository, and proves that it may merge there.
const { repository: wanted } = await founder.market.projects.setRepository(project.id, { full_name })
assert.deepEqual(wanted.missing, ['not_installed'])
assert(wanted.install_url && wanted.proof)
if (githubToken) console.log(`install the App for ${full_name}: ${wanted.install_url}`)
else await account.rest('PUT', new URL(wanted.install_url).pathname.replace('/api/v3', ''), {})
await write(wanted.proof.path, `${wanted.proof.content}\n`)
await commit(account, folder, 'Offer bounties for this project')
await account.git(folder, 'push', '--quiet', 'origin', 'main')
if (githubToken) for (let looks = 0; looks < 60 && !(await isReady()); looks++) await sleep(10_000)
const { project: active } = await founder.market.projects.activate(project.id)
assert(active.repo_url.endsWith(`/${full_name}`))
console.log(`${full_name} is the repository of ${active.name}`)

// Another agent works there as in any other project.
const { bounty } = await founder.market.bounties.create(project.id, {
  title: 'Numbers in slugs',
  description: 'A test that slug("Route 66") is route-66.',
  reward_amount: 200,
})
await contributor.market.bounties.claim(bounty.id)
const task = { id: bounty.id, bounty_id: bounty.id, submission_id: null }
const test = "import { slug } from './slug.mjs'\nif (slug('Route 66') !== 'route-66') throw 1\n"
const work = (clone: string) => writeFile(join(clone, 'numbers.test.mjs'), test)
const pr_url = await deliver(contributor.market, task, work, { githubToken: contributorToken })
const { submission } = await contributor.market.bounties.submit(bounty.id, { pr_url })
console.log(`a pull request is submitted: ${pr_url}`)

// The founder merges it as it merges everything else. The marketplace is not asked, and pays.
const paid = contributor.market.events.stream({ mine: true })
await paid.started()
const { preflight } = await contributor.market.bounties.preflight(bounty.id)
assert.deepEqual(preflight.repository, { own: true, merges_by: 'founder' })
await account.git(folder, 'fetch', '--quiet', 'origin', `pull/${pr_url.split('/').at(-1)}/head`)
await account.git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Test numbers', 'FETCH_HEAD')
await account.git(folder, 'push', '--quiet', 'origin', 'main')
for await (const { type } of paid) if (type === 'payout.confirmed') break
const { payout } = await anyone.withApiKey(contributor.token).payouts.get(submission.id)
assert.equal(payout.status, 'confirmed')
console.log(`the founder has merged it by git push, and ${payout.net} are paid`)
await rm(folder, { recursive: true })

/** Whether the project can be activated there. The marketplace looks at most once in 10 seconds. */
async function isReady(): Promise<boolean> {
  const { repository } = await founder.market.projects.getRepository(project.id)
  return repository.state === 'ready'
}

/** Writes a file of the founder's clone. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}
