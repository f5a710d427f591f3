/** What the tests compare with GitHub's description: the operations of the embedded code host and of a GitHub App. */
const operations: Record<string, string> = {
  '/app': 'get',
  '/app/hook/config': 'get',
  '/app/hook/deliveries': 'get',
  '/app/installations/{installation_id}': 'get',
  '/app/installations/{installation_id}/access_tokens': 'post',
  '/orgs/{org}': 'get',
  '/orgs/{org}/repos': 'post',
  '/repos/{owner}/{repo}': 'get',
  '/repos/{owner}/{repo}/branches/{branch}/protection': 'get put',
  '/repos/{owner}/{repo}/check-runs': 'post',
  '/repos/{owner}/{repo}/check-runs/{check_run_id}': 'patch',
  '/repos/{owner}/{repo}/collaborators/{username}': 'put delete',
  '/repos/{owner}/{repo}/collaborators/{username}/permission': 'get',
  '/repos/{owner}/{repo}/commits': 'get',
  '/repos/{owner}/{repo}/commits/{ref}': 'get',
  '/repos/{owner}/{repo}/commits/{commit_sha}/pulls': 'get',
  '/repos/{owner}/{repo}/commits/{ref}/check-runs': 'get',
  '/repos/{owner}/{repo}/commits/{ref}/status': 'get',
  '/repos/{owner}/{repo}/commits/{ref}/statuses': 'get',
  '/repos/{owner}/{repo}/compare/{basehead}': 'get',
  '/repos/{owner}/{repo}/contents/{path}': 'get put',
  '/repos/{owner}/{repo}/installation': 'get',
  '/repos/{owner}/{repo}/invitations': 'get',
  '/repos/{owner}/{repo}/issues/{issue_number}/events': 'get',
  '/repos/{owner}/{repo}/merges': 'post',
  '/repos/{owner}/{repo}/pulls': 'get post',
  '/repos/{owner}/{repo}/pulls/{pull_number}': 'get patch',
  '/repos/{owner}/{repo}/pulls/{pull_number}/commits': 'get',
  '/repos/{owner}/{repo}/pulls/{pull_number}/files': 'get',
  '/repos/{owner}/{repo}/pulls/{pull_number}/merge': 'put',
  '/repos/{owner}/{repo}/readme': 'get',
  '/repos/{owner}/{repo}/statuses/{sha}': 'post',
  '/user': 'get',
  '/user/repos': 'post',
  '/user/{account_id}': 'get',
  '/users/{username}': 'get',
}

/** Bodies that tests send in GitHub's place. */
const examples = ['base-installation', 'hook-delivery-items', 'integration', 'webhook-config']

export type Json = Record<string, unknown>

interface Description {
  paths: Record<string, Record<string, { requestBody?: unknown; responses: Json }>>
  components: Record<string, Json>
}

/** The descriptions: of github.com, and of a version of Enterprise Server. */
export const names = ['api.github.com', 'ghes-3.19'] as const

/** A part of descriptions, and where it stands in them. */
export type Part = [of: string[], pointer: string[], part: unknown]

/** What the tests compare of these descriptions: a line of JSON for each {@link Part}. */
export function extract(descriptions: Record<(typeof names)[number], Description>): string {
  const found = new Map<string, string[]>()
  for (const name of names)
    for (const part of partsOf(descriptions[name])) found.set(part, [...(found.get(part) ?? []), name])
  const lines = [...found].map(([part, of]) => `[${JSON.stringify(of)},${part}]\n`)
  return lines.sort().join('')
}

/** The operations of a description, and all that they refer to. */
function partsOf(description: Description): string[] {
  const lines = Object.entries(operations).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => {
      const { requestBody, responses } = description.paths[path]?.[method] ?? { responses: {} }
      return line(['paths', path, method], trimmed({ requestBody, responses }))
    }),
  )
  const wanted = new Set(['#/components/schemas/basic-error'])
  const refer = (text: string) => {
    for (const [, pointer] of text.matchAll(/"\$ref":"(#[^"]+)"/g)) wanted.add(pointer as string)
  }
  lines.forEach(refer)
  for (const pointer of wanted) {
    const [, components, kind = '', name = ''] = pointer.split('/')
    const part = line([components as string, kind, name], trimmed(description.components[kind]?.[name]))
    refer(part)
    lines.push(part)
  }
  for (const name of examples)
    lines.push(line(['components', 'examples', name], description.components.examples?.[name]))
  return lines
}

const line = (pointer: string[], part: unknown) => JSON.stringify([pointer, part]).slice(1, -1)

/** What people read is left out; in `properties`, keys are names of fields. */
function trimmed(node: unknown, isFields = false): unknown {
  if (Array.isArray(node)) return node.map((item) => trimmed(item))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(
    ([key]) =>
      isFields || !/^(description|summary|title|examples?|headers|externalDocs|deprecated|x-.*)$/.test(key),
  )
  return Object.fromEntries(
    entries.map(([key, value]) => [key, trimmed(value, key === 'properties' && !isFields)]),
  )
}
