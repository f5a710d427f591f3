import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the run starts what its test files share. */
    sharedParts: string
  }
}

const parts = new Map<string, Promise<string>>()

/** Address of the maintenance database of the Postgres server that all test files share. */
export const sharedPostgres = (): Promise<string> => part('postgres')

/** JSON-RPC address of the node of this worker. */
export const sharedChain = (): Promise<string> => part(`chain-${process.env.VITEST_POOL_ID}`)

/** Folder with the output of `npm run build`. */
export const sharedBuild = (): Promise<string> => part('build')

/** Asks the run to start a part, if no worker has asked yet. */
function part(name: string): Promise<string> {
  const known = parts.get(name) ?? request(new URL(name, inject('sharedParts')))
  parts.set(name, known)
  return known
}

async function request(url: URL): Promise<string> {
  const [response]: IncomingMessage[] = await once(get(url, { agent: false }), 'response')
  if (!response) throw new Error('no response')
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(`the run could not start ${url.pathname}: ${body}`)
  return body
}
