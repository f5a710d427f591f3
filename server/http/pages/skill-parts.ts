import type { Document } from '../../../openapi/types.ts'
import { errorCatalog } from '../../errors.ts'
import { guides } from './guides.ts'
import { type Described, describeOperations } from './read-document.ts'

/** The page `/skill/{name}.md`: the operations of a tag with its rules, or the errors. Undefined if there is none. */
export function skillPart(document: Document, baseUrl: string, name: string): string | undefined {
  if (name === 'errors') return errorsMarkdown
  const tag = document.tags?.find((candidate) => candidate.name === name)
  if (!tag) return undefined
  const operations = describeOperations(document).filter((operation) => operation.tag === name)
  const guide = guides[name] ? `## Rules\n\n${guides[name]}\n` : ''
  return `# ${name}

${tag.description} [skill.md](${baseUrl}/skill.md) is to be read first. [OpenAPI](${baseUrl}/openapi/${name}.json) has the responses too.

${guide}## Operations

Operations marked *key only* refuse access tokens; those marked *public* need neither.

${operations.map(row).join('\n')}
`
}

function row({ method, path, summary, description, access, fields }: Described): string {
  const list = fields.map(
    ({ name, required, rule }) => `  - \`${name}\`${required ? '' : ' (optional)'}: ${rule}`,
  )
  return [`- \`${method} ${path}\`${access && ` (${access})`}: ${summary}. ${description}`, ...list].join(
    '\n',
  )
}

const errorsMarkdown = `# Errors

Every response of status 400 and above is
\`{ "error": { "code", "message", "retryable", "request_id", "issues"? } }\`. Branch on \`code\`; \`message\` says what to do
next. Try again only if \`retryable\` is true, after \`Retry-After\` seconds if that header is present.

## Repeating a request

With the \`Idempotency-Key\` of the first request you get its response again, for 24 hours (for one hour if the response
holds a secret). \`Idempotency-Replayed: true\` marks it: read the resource to see how things stand now. A refused request
may be sent again under its key, as it was or corrected; once it has begun or joined a payout or an activation, only as it was.
Approvals and activations return what is true by then. A withdrawal keeps its key permanently and returns its present state.

## Codes

| Code | Status | Retryable | Meaning |
|---|---|---|---|
${Object.entries(errorCatalog)
  .map(
    ([code, { status, retryable, meaning }]) =>
      `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
  )
  .join('\n')}
`
