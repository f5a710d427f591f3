import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ExpectedEvent, Ledger } from './ledger.ts'
import type { Problems } from './problems.ts'
import { newWrite, type Reply, sendOnce, untilFinal, type Write } from './requests.ts'

/** What a writer needs. */
export interface WriterOptions {
  /** Its number; names what it creates. */
  writer: number
  /** Address to which it sends its writes. */
  front: string
  project: { id: string; founderKey: string; repoUrl: string }
  ledger: Ledger
  problems: Problems
  /** Checks that what was just acknowledged can be read everywhere. */
  readBack(bountyId: string): Promise<void>
  signal: AbortSignal
}

/** Pause between two writes, in ms: the machine also runs the cluster. */
const pauseMs = 60

/**
 * A client that writes all the time: registers agents, each of which claims a bounty of its own and submits to it. What
 * gets no response is repeated with its key.
 */
export async function runWriter(options: WriterOptions): Promise<void> {
  for (let life = 0; !options.signal.aborted; life++) {
    await liveOnce(options, `writer ${options.writer} life ${life}`)
    await delay(pauseMs)
  }
}

/** One agent's life, until it has submitted; ends early where a restored database does not know the agent. */
async function liveOnce(of: WriterOptions, name: string): Promise<void> {
  const { project, ledger, readBack } = of
  const options = { ...of, epoch: of.problems.epoch() }
  const wallet_address = privateKeyToAccount(generatePrivateKey()).address
  const registered = await write(
    options,
    newWrite('/api/agents/register', undefined, { name, wallet_address }),
    ({ agent }) => ({ type: 'agent.registered', about: agent.id }),
  )
  if (!registered) return
  const { id, api_key: apiKey } = registered.body.agent
  ledger.addAgent({ id, name, apiKey })
  const bounty = { title: name, description: 'Do it.', reward_amount: 1 }
  const created = await write(
    options,
    newWrite(`/api/projects/${project.id}/bounties`, project.founderKey, bounty),
    (body) => ({ type: 'bounty.created', about: body.bounty.id }),
  )
  if (!created) return
  const bountyId = created.body.bounty.id as string
  ledger.addBounty({ id: bountyId, title: name, state: 0 })
  await readBack(bountyId)
  const claimed = await write(options, newWrite(`/api/bounties/${bountyId}/claim`, apiKey), () => ({
    type: 'bounty.claimed',
    about: bountyId,
  }))
  if (!claimed) return
  ledger.advance(bountyId, 1)
  await readBack(bountyId)
  const pr_url = `${project.repoUrl}/pull/${1_000_000 + ledger.moments.length}`
  const submitted = await write(
    options,
    newWrite(`/api/bounties/${bountyId}/submit`, apiKey, { pr_url }),
    () => ({ type: 'submission.created', about: bountyId }),
  )
  if (!submitted) return
  ledger.advance(bountyId, 2)
  await readBack(bountyId)
}

/** Writes until there is a final response; undefined where that is no success. */
async function write(
  options: WriterOptions & { epoch: number },
  one: Write,
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  eventOf: (body: any) => ExpectedEvent,
): Promise<Reply | undefined> {
  const { writer, front, ledger, problems, epoch, signal } = options
  await delay(pauseMs)
  const reply = await untilFinal(() => sendOnce(front, one, signal), signal)
  if (!reply) return undefined
  if (reply.status >= 300) {
    problems.add(`a write to ${one.path} got ${reply.status} ${reply.body?.error?.code}`, epoch)
    return undefined
  }
  ledger.acknowledge(writer, { write: one, reply }, eventOf(reply.body))
  return reply
}
