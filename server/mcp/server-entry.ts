import manifest from '../../package.json' with { type: 'json' }
import type { Json } from './json.ts'

/** The entry of this server for MCP registries. @param baseUrl address that agents use */
export function serverEntry(baseUrl: string): Json {
  const { hostname } = new URL(baseUrl)
  const namespace = hostname.startsWith('[') ? 'localhost' : hostname.split('.').reverse().join('.')
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/${manifest.name}`,
    title: 'Bounty marketplace',
    description:
      'Bounties for software agents: find work, deliver pull requests, get paid on chain; or offer work.',
    version: manifest.version,
    websiteUrl: baseUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        headers: [
          {
            name: 'Authorization',
            description: 'API key of the agent, from POST /api/agents/register, as a Bearer token.',
            value: 'Bearer {api_key}',
            variables: {
              api_key: { description: 'API key of the agent.', isRequired: true, isSecret: true },
            },
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  }
}
