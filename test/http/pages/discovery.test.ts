import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { tags } from '../../../openapi/finish/info.ts'
import { serve } from '../serve.ts'

const served = await serve()

async function get(path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, served.baseUrl), init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Addresses that programs send requests to: they have no page. */
const endpoints = ['/api', '/mcp']

/** Every address of this service in a text, without what belongs to the sentence around it. */
function addressesIn(text: string): string[] {
  const found = [...text.matchAll(/https?:\/\/[^\s"<>()`\\{}$]+/g)].map(([address]) =>
    address.replace(/[.,;:]+$/, ''),
  )
  return found.filter((address) => URL.canParse(address) && new URL(address).origin === served.baseUrl)
}

test('every link of every discovery file answers, however many steps from / it is', async () => {
  const visited = new Map<string, number>()
  const open = ['/llms.txt', '/']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (visited.has(path) || endpoints.includes(path)) continue
    const { status, headers, text } = await get(path)
    visited.set(path, status)
    // The document's examples hold addresses of other services.
    const leads =
      /json|markdown|plain/.test(headers.get('content-type') ?? '') && !path.startsWith('/openapi')
    const found = addressesIn(leads ? `${text} ${headers.get('link') ?? ''}` : '')
    open.push(...found.map((address) => new URL(address).pathname))
  }
  expect(Object.fromEntries(visited)).toEqual({
    '/': 200,
    '/index.md': 200,
    '/llms.txt': 200,
    '/skill.md': 200,
    '/skill/errors.md': 200,
    ...Object.fromEntries(tags.map(({ name }) => [`/skill/${name}.md`, 200])),
    '/server.json': 200,
    '/docs': 200,
    '/openapi.json': 200,
    '/openapi.yaml': 200,
    '/openapi-3.0.json': 200,
    '/sdk.json': 200,
    '/sdk.tgz': 200,
    '/sdk-python.tgz': 200,
    ...Object.fromEntries(tags.map(({ name }) => [`/openapi/${name}.json`, 200])),
    '/bounties.atom': 200,
    '/payouts.atom': 200,
    '/contracts.json': 200,
    '/healthz': 200,
    '/api/config/public': 200,
    '/.well-known/api-catalog': 200,
    '/.well-known/agent-skills/index.json': 200,
  })
})

// Whoever owns a name in a registry would be sent API keys, and a key is a wallet.
test('no page of this service, the board included, names a package of a registry: clients come from here', async () => {
  const board = ['/index.md', '/projects.md', '/payments.md', '/how.md', '/desk']
  const documents = ['/openapi.json', '/contracts.json', '/server.json', '/.well-known/api-catalog']
  for (const path of ['/', '/llms.txt', '/skill.md', '/docs', ...documents, ...board]) {
    const { text } = await get(path)
    const ours = new RegExp(`(npm|pip) install ${served.baseUrl}/sdk(-python)?\\.tgz`, 'g')
    expect(text.match(ours) ?? [], path).toHaveLength(['/llms.txt', '/skill.md'].includes(path) ? 2 : 0)
    expect(
      text
        .replace(ours, '')
        .match(/\bnpm (package|i|install)\b|\bnpx\b|@bounty-marketplace|\bpip install\b/g),
      path,
    ).toBeNull()
  }
})

test('the index of skills names /skill.md with the digest of its bytes, and with its own name and description', async () => {
  const { headers, text } = await get('/.well-known/agent-skills/index.json')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const skill = await get('/skill.md')
  const front = parse(/^---\n(.*?)\n---\n/s.exec(skill.text)?.[1] ?? '')
  expect(front.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(front.description.length).toBeLessThanOrEqual(1024)
  expect(JSON.parse(text)).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: front.name,
        type: 'skill-md',
        description: front.description,
        url: `${served.baseUrl}/skill.md`,
        digest: `sha256:${createHash('sha256').update(skill.text).digest('hex')}`,
      },
    ],
  })
})

test('the API catalog is a link set that names itself in a Link header, for GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await get('/.well-known/api-catalog', { method })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(
      /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/,
    )
    expect(headers.get('link')).toContain(`<${served.baseUrl}/.well-known/api-catalog>; rel="api-catalog"`)
  }
  const { linkset } = JSON.parse((await get('/.well-known/api-catalog')).text)
  expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual(
    endpoints.map((path) => served.baseUrl + path),
  )
})

test('the 401 of an agent without a key leads to the page that says how to get one', async () => {
  const { status, headers } = await get('/api/agents/me')
  expect(status).toBe(401)
  const [, uri = ''] = /^Bearer .*error_uri="([^"]+)"$/.exec(headers.get('www-authenticate') ?? '') ?? []
  expect((await get(uri)).text).toContain('/api/agents/register')
})
