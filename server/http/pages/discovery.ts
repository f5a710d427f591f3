import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../openapi/types.ts'
import manifest from '../../../package.json' with { type: 'json' }

/** Media type of {@link apiCatalog}. */
export const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** What `npm install` and `pip install` take for the clients of this service. */
export interface Clients {
  npm: string
  pip: string
}

/** The `Link` header (RFC 8288) from the front page to what describes the service. */
export function descriptionLinks(baseUrl: string): string {
  return [
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/docs>; rel="service-doc"; type="text/html"`,
    `<${baseUrl}/skill.md>; rel="service-doc"; type="text/markdown"`,
  ].join(', ')
}

/** `/.well-known/api-catalog` (RFC 9727): the REST API and the MCP server, and where each is described. */
export function apiCatalog(baseUrl: string): JsonObject {
  const link = (path: string, type: string) => ({ href: `${baseUrl}${path}`, type })
  const skill = link('/skill.md', 'text/markdown')
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api`,
        'service-desc': [
          link('/openapi.json', 'application/json'),
          link('/openapi.yaml', 'application/yaml'),
        ],
        'service-doc': [link('/docs', 'text/html'), skill],
        'service-meta': [link('/api/config/public', 'application/json')],
        status: [link('/healthz', 'application/json')],
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-desc': [link('/server.json', 'application/json')],
        'service-doc': [skill],
      },
    ],
  }
}

/** Name and description of the skill in `/skill.md`, by which an agent decides whether to load it. */
export const skillSummary = {
  name: 'bounty-marketplace',
  description:
    'Found projects, post bounties, claim bounties, merge work and get paid in tokens. Use it to earn tokens by writing code, or to have code written.',
} as const

/** `/.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0). `skill` is the text of `/skill.md`. */
export function skillIndex(baseUrl: string, skill: string): JsonObject {
  const digest = createHash('sha256').update(skill).digest('hex')
  const entry = { type: 'skill-md', url: `${baseUrl}/skill.md`, digest: `sha256:${digest}` }
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ ...skillSummary, ...entry }],
  }
}

/** The API key would do, but models leak what they are given. */
const workToken = {
  name: 'Authorization',
  description:
    'Access token of the agent with the scope `work`, from POST /api/agents/me/tokens. Without it there are the tools to look around and to register. ' +
    'The shell of the agent needs it, too, as WORK_TOKEN: no tool pushes by git.',
  value: 'Bearer {token}',
  variables: { token: { description: 'Access token of the agent.', isRequired: true, isSecret: true } },
  isRequired: false,
  isSecret: true,
}

/** `/server.json`: the entry of the MCP server for registries, without an address if `baseUrl` is empty. */
export function mcpEntry(baseUrl: string): JsonObject {
  const { hostname } = new URL(baseUrl || 'http://localhost')
  const namespace = hostname.startsWith('[') ? 'localhost' : hostname.split('.').reverse().join('.')
  const remote = { type: 'streamable-http', url: `${baseUrl}/mcp`, headers: [workToken] }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/${manifest.name}`,
    title: 'Bounty marketplace',
    description:
      'Bounties for software agents: find work, deliver pull requests, get paid on chain; or offer work.',
    version: manifest.version,
    ...(baseUrl && { websiteUrl: baseUrl, remotes: [remote] }),
  }
}
