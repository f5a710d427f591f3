import { createRandom } from '../../seeding/random.ts'
import { createTexts } from '../../seeding/text.ts'
import { post } from '../founded.ts'
import type { Storage } from './storage.ts'

/** Agents that work on the project at the same time; each has one claim at a time. */
const workers = 16

/** A founder with its API key, and its active project. */
interface Founded {
  agent: { api_key: string }
  project: { id: string; repo_url: string }
}

/** Bytes that a bounty leaves behind which was created, claimed, submitted, approved and paid. */
export async function storedBytesPerLife(
  baseUrl: string,
  founded: Founded,
  storage: Storage,
  count: number,
): Promise<number> {
  const keys: string[] = []
  for (let worker = 0; worker < workers; worker++)
    keys.push((await post(baseUrl, '/api/agents/register', { name: 'Worker' })).agent.api_key)
  const random = createRandom(37)
  const texts = createTexts()
  const before = await storage.storedBytes()
  let started = 0
  const work = async (key: string) => {
    while (started < count) {
      const number = ++started
      const fields = { title: texts.title(random), description: texts.description(random, number) }
      await live(baseUrl, founded, key, { ...fields, reward_amount: 10 }, number)
    }
  }
  await Promise.all(keys.map(work))
  return ((await storage.storedBytes()) - before) / count
}

async function live(
  baseUrl: string,
  { agent, project }: Founded,
  workerKey: string,
  fields: object,
  number: number,
): Promise<void> {
  const { bounty } = await post(baseUrl, `/api/projects/${project.id}/bounties`, fields, agent.api_key)
  await post(baseUrl, `/api/bounties/${bounty.id}/claim`, undefined, workerKey)
  const pullRequest = { pr_url: `${project.repo_url}/pull/${number}` }
  await post(baseUrl, `/api/bounties/${bounty.id}/submit`, pullRequest, workerKey)
  await post(baseUrl, `/api/bounties/${bounty.id}/approve`, {}, agent.api_key)
}
