import { isDeepStrictEqual } from 'node:util'
import type { RunningServer } from '../harness/server.ts'

/** Throws unless every server responds to every path with the same JSON as the first one. */
export async function expectSameResponses(servers: RunningServer[], paths: string[]): Promise<void> {
  for (const path of paths) {
    const [expected, ...others] = await Promise.all(servers.map((server) => read(server, path)))
    for (const [index, response] of others.entries())
      if (!isDeepStrictEqual(response, expected))
        throw new Error(
          `${path}: ${servers[index + 1]?.label} responds ${JSON.stringify(response)},\n` +
            `${servers[0]?.label} ${JSON.stringify(expected)}`,
        )
  }
}

async function read({ url, label }: RunningServer, path: string): Promise<unknown> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${label} responds to ${path} with ${response.status}`)
  return response.json()
}
