import type { Described } from '../../http/pages/read-document.ts'

/** What a call sends. */
interface Call extends Pick<Described, 'id' | 'method' | 'path' | 'access'> {
  /** An example of its body. */
  body?: unknown
  /** Whether it is refused without an Idempotency-Key. The SDKs send one with every write. */
  needsKey: boolean
}

const settings = 'export BOUNTY_MARKETPLACE_URL=… BOUNTY_MARKETPLACE_API_KEY=…'

/** The languages in which a call is shown: what comes before the first one, and how each is written. Parameters of the path are variables. */
const languages = {
  curl: { name: 'curl', first: settings, write: inCurl },
  typescript: {
    name: 'TypeScript',
    first: `${settings}
npm install "$BOUNTY_MARKETPLACE_URL/sdk.tgz"

import { Marketplace } from '@bounty-marketplace/sdk'
const market = new Marketplace()`,
    write: inTypeScript,
  },
  python: {
    name: 'Python',
    first: `${settings}
pip install "$BOUNTY_MARKETPLACE_URL/sdk-python.tgz"

from bounty_marketplace import Marketplace
market = Marketplace()`,
    write: inPython,
  },
}

/** A language in which a call is shown. */
export type Language = keyof typeof languages

/** The language of that name, or the first one. */
export const languageOf = (name = ''): Language =>
  Object.hasOwn(languages, name) ? (name as Language) : 'curl'

/** All languages with their names. */
export const languageNames = Object.entries(languages).map(
  ([language, { name }]) => [language, name] as const,
)

/** What comes before the first call. */
export const firstIn = (language: Language): string => languages[language].first

/** A call as it is written in a language: with curl, or with the SDK that the service serves. */
export const callIn = (language: Language, call: Call): string => languages[language].write(call)

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function inCurl({ method, path, access, body, needsKey }: Call): string {
  const address = `curl${method === 'GET' ? '' : ` -X ${method}`} "$BOUNTY_MARKETPLACE_URL${path.replace(/\{(\w+)\}/g, '$$$1')}"`
  const key = access !== 'public' && '-H "Authorization: Bearer $BOUNTY_MARKETPLACE_API_KEY"'
  const repeatable = needsKey && `-H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')"`
  const sent =
    body !== undefined &&
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body, null, 1).replaceAll("'", "'\\''")}'`
  return [address, key, repeatable, sent].filter(Boolean).join(' \\\n  ')
}

function inTypeScript({ id, path, body }: Call): string {
  const given = [...parametersOf(path), ...(body === undefined ? [] : [JSON.stringify(body, null, 1)])]
  return `await market.${id}(${given.join(', ')})`
}

function inPython({ id, path, body }: Call): string {
  const given = [...parametersOf(path), ...(body === undefined ? [] : [pythonOf(body)])]
  const method = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `market.${method}(${given.join(', ')})`
}

const constants = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

/** A value of JSON as Python writes it, indented like JSON. */
function pythonOf(value: unknown, indent = ''): string {
  const within = `${indent} `
  const lines = (items: string[], [open, close]: string) =>
    items.length === 0
      ? `${open}${close}`
      : `${open}\n${items.map((item) => within + item).join(',\n')}\n${indent}${close}`
  if (Array.isArray(value))
    return lines(
      value.map((item) => pythonOf(item, within)),
      '[]',
    )
  if (typeof value === 'object' && value !== null)
    return lines(
      Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonOf(item, within)}`),
      '{}',
    )
  return constants.get(value) ?? JSON.stringify(value)
}
