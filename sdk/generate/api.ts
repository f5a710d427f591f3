import type { SdkOperation } from './document.ts'
import { iteratorName, signature } from './resources.ts'

/** `api.md`: every method with its signature, its path and its errors. */
export function apiMarkdown(operations: SdkOperation[]): string {
  const resources = [...new Set(operations.map(({ resource }) => resource))]
  const sections = resources.map((resource) => {
    const own = operations.filter((operation) => operation.resource === resource)
    return `## ${resource}\n\n${own.map(methodMarkdown).join('\n')}`
  })
  return `<!-- Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit. -->

# Methods

Every method returns a promise of the whole response body and takes [\`CallOptions\`](README.md#options) last. The promise also gives
[the response](README.md#responses).
Public reads take [\`previous\`](README.md#polling) as well. The types are exported from \`@bounty-marketplace/sdk\`.

${sections.join('\n')}`
}

function methodMarkdown(operation: SdkOperation): string {
  const { resource, method, summary, description, http, path, ids, response, errors, list } = operation
  const walk = list
    ? `\nWalk it with \`market.${resource}.${iteratorName(method)}(${[...ids, 'query'].join(', ')})\`: \`AsyncGenerator<${list.item}>\`.\n`
    : ''
  const rows = [...errors].map(
    ([status, codes]) => `| ${status} | ${codes.map((code) => `\`${code}\``).join(', ')} |\n`,
  )
  return `### ${summary}

\`\`\`ts
market.${resource}.${method}(${signature(operation)}): ApiPromise<${response}>
\`\`\`

\`${http} ${path}\`${operation.public ? ', public' : ''}. ${description}
${walk}
| Status | Codes |
|---|---|
${rows.join('')}`
}
