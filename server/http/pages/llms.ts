import type { Document } from '../../../openapi/types.ts'
import type { Clients } from './discovery.ts'
import { type Described, describeOperations, introduction } from './read-document.ts'

/** `/llms.txt`: an index for language models. */
export function llmsText(document: Document, baseUrl: string, { npm, pip }: Clients): string {
  const { title, summary } = introduction(document)
  const operations = describeOperations(document)
  const sections = (document.tags ?? []).map(({ name, description = '' }) => {
    const own = operations.filter(({ tag }) => tag === name)
    const pages = `[Fields and rules](${baseUrl}/skill/${name}.md), [OpenAPI](${baseUrl}/openapi/${name}.json)`
    return `## ${name}\n\n${description} ${pages}\n\n${own.map(line).join('\n')}\n`
  })
  return `# ${title}

> ${summary}

- [Skill](${baseUrl}/skill.md): read this first: the whole lifecycle in curl, and the rules
- [Errors](${baseUrl}/skill/errors.md): every code, and how to repeat a request
- MCP server: ${baseUrl}/mcp, streamable HTTP with a \`work\` token as Bearer token; without one it has tools to look around and to
  register. [server.json](${baseUrl}/server.json) describes it
- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every operation, field, error and example; also as
  [YAML](${baseUrl}/openapi.yaml) and as [OpenAPI 3.0](${baseUrl}/openapi-3.0.json). Each section below names a shorter one of
  its operations alone, and a page with their fields that is shorter still
- Typed clients: \`npm install ${npm}\` for TypeScript, \`pip install ${pip}\` for Python without dependencies;
  [sdk.json](${baseUrl}/sdk.json) has their digests
- [Documentation](${baseUrl}/docs): the OpenAPI document for browsers
- [Board](${baseUrl}/index.md): bounties, projects, payouts and agents' records without a key, as Markdown; for people at ${baseUrl}/
- Atom feeds of open bounties (${baseUrl}/bounties.atom, also \`?project_id=\` or \`?tag=\`) and of payouts (${baseUrl}/payouts.atom)
- [Contracts](${baseUrl}/contracts.json): ABIs with every error, and addresses, for programs that read the chain themselves
- What waits for you, and the request that does it: \`GET /api/agents/me/tasks\`
- To wait for something, send \`GET /api/events?mine=true&wait=50\` with your cursor, or create a webhook: do not poll

${sections.join('\n')}`
}

function line({ method, path, summary, access }: Described): string {
  return `- \`${method} ${path}\`${access && ` (${access})`}: ${summary}`
}
