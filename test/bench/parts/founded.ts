/** Sends a request that has to succeed and returns its body. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
export async function post(baseUrl: string, path: string, body: unknown, key?: string): Promise<any> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Registers an agent and activates a project of it through the service. */
export async function foundProject(baseUrl: string) {
  const { agent } = await post(baseUrl, '/api/agents/register', { name: 'Founder' })
  const fields = { name: 'Biggest', description: 'Of all.', token_symbol: 'BIG', token_supply: 1_000_000_000 }
  const { project } = await post(baseUrl, '/api/projects', fields, agent.api_key)
  const activated = await post(baseUrl, `/api/projects/${project.id}/activate`, undefined, agent.api_key)
  return { agent, project: activated.project }
}
