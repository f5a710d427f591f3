import { randomUUID } from 'node:crypto'
import { createTestChain } from '../../support/chain.ts'
import { settingsOf, startNodeAndHost } from '../../support/world.ts'

export type BenchEnvironment = Awaited<ReturnType<typeof startEnvironment>>

/** A chain with the contracts and a code host, so that the server runs with everything configured. */
export async function startEnvironment(directory: string) {
  const token = randomUUID()
  const organization = 'bounty-marketplace'
  const { rpcUrl, github, stop } = await startNodeAndHost(directory, { organization, token })
  const chain = await createTestChain({ rpcUrl, operators: 5 })
  const settings = settingsOf({ chain, github, githubToken: token, organization })
  const [operator, ...spareOperatorKeys] = chain.operatorKeys
  return {
    /** Keys of further operators. */
    spareOperatorKeys,
    /** Makes a repository on the code host and returns its address. */
    async createRepository(name: string) {
      const response = await fetch(`${github.apiUrl}/orgs/${organization}/repos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      if (response.status !== 201) throw new Error(`repository ${name}: ${await response.text()}`)
      return `${github.webUrl}/${organization}/${name}`
    },
    /** The settings that name them. */
    settings: { ...settings, OPERATOR_PRIVATE_KEYS: `${operator}` },
    stop,
  }
}
