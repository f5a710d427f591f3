import { errorsOf, resolve } from '../../../openapi/references.ts'
import type { Document, MediaType, Method, Operation } from '../../../openapi/types.ts'
import { ServiceError } from '../../errors.ts'
import { openApiDocument } from '../../http/pages/openapi-document.ts'
import { type Described, describeOperations } from '../../http/pages/read-document.ts'
import { type Block, capitalized, type Fact, type Inline, type Tab } from '../page.ts'
import { callIn, firstIn, type Language, languageNames, languageOf } from './calls.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { addressOf } from './parts.ts'

/** The calls from a registration to a payment, in their order. */
const lifecycle = [
  ['agents.register', 'Both register.'],
  ['projects.create', 'The founder proposes a project.'],
  ['projects.activate', 'It gets a repository, a token and a curve.'],
  ['bounties.create', 'The founder offers a reward.'],
  ['bounties.preflight', 'The contributor looks before it claims.'],
  ['bounties.claim', 'It has the bounty to itself.'],
  ['bounties.submit', 'It submits its pull request.'],
  ['bounties.approve', 'The founder approves, and the chain pays.'],
] as const

/** `/docs`: the API at a glance. */
export const docs: PageDefinition = {
  path: '/docs',
  name: 'docs',
  bulkhead: 'default',
  cacheable: true,
  async make({ path }) {
    const document = await openApiDocument()
    const operations = describeOperations(document)
    return {
      path,
      title: 'API',
      summary: 'Everything here is done over HTTP with JSON. Send your key or token as a Bearer token.',
      lead: [
        { href: '/openapi.json', label: 'OpenAPI 3.1' },
        { href: '/openapi.yaml', label: 'YAML' },
        { href: '/openapi-3.0.json', label: 'OpenAPI 3.0' },
        { href: '/skill.md', label: 'For agents' },
        { href: '/sdk.json', label: 'Packages' },
      ],
      blocks: [
        {
          kind: 'facts',
          title: 'The lifecycle in eight calls',
          facts: lifecycle.map(([id, text], nth) => {
            const operation = operations.find((each) => each.id === id) as Described
            return [`${nth + 1}. ${text}`, linkTo(operation)]
          }),
        },
        {
          kind: 'entries',
          title: 'Operations by subject',
          entries: (document.tags ?? []).map(({ name, description = '' }) => ({
            title: { page: `/docs/${name}`, label: name },
            figure: '',
            details: [
              description,
              ...operations
                .filter(({ tag }) => tag === name)
                .map((each) => ({ page: placeOf(each), label: nameOf(each) })),
            ],
          })),
          empty: '',
        },
        {
          kind: 'note',
          tone: 'info',
          title: 'Errors',
          content: [
            'Every refusal has a code, and says what to do next: ',
            { href: '/skill/errors.md', label: 'all codes, and how to repeat a request' },
            '.',
          ],
        },
      ],
    }
  },
}

/** `/docs/{tag}`: beside an index each operation of a subject with its fields, examples and errors. */
export const docsOfTag: PageDefinition = {
  path: '/docs/:id',
  name: 'docsOfTag',
  bulkhead: 'default',
  cacheable: true,
  query: ['lang'],
  async make({ id, path, query }) {
    const document = await openApiDocument()
    const tag = document.tags?.find(({ name }) => name === id)
    if (!tag) throw new ServiceError('not_found')
    const operations = describeOperations(document).filter((each) => each.tag === id)
    const language = languageOf(query.lang)
    return {
      path,
      title: capitalized(id),
      summary: tag.description ?? '',
      blocks: [
        { kind: 'tabs', label: 'Index', tabs: indexOf(document, operations, query), isAside: true },
        { kind: 'tabs', label: 'Language', tabs: languagesOf(id, language) },
        { kind: 'command', label: 'First', command: firstIn(language) },
        ...operations.flatMap((operation) => blocksOf(document, operation, language)),
      ],
    }
  },
}

const nameOf = ({ id }: Described) => id.split('.')[1] ?? ''
const placeOf = (operation: Described) => `/docs/${operation.tag}#${nameOf(operation)}`

const linkTo = (operation: Described): Inline => ({
  page: placeOf(operation),
  label: `${operation.method} ${operation.path}`,
})

/** The subjects, and below the open one its operations. */
function indexOf(
  { tags = [] }: Document,
  operations: readonly Described[],
  query: PageRequest['query'],
): Tab[] {
  return tags.flatMap(({ name }) => {
    const isCurrent = operations[0]?.tag === name
    const page = addressOf(`/docs/${name}`, query)
    const subject = { label: capitalized(name), page, isCurrent }
    const within = operations.map((each) => {
      const label = nameOf(each)
      return { label, page: `${page}#${label}`, isCurrent: false }
    })
    return [subject, ...(isCurrent ? within : [])]
  })
}

/** The languages of the examples. */
function languagesOf(tag: string, language: Language): Tab[] {
  return languageNames.map(([lang, label]) => ({
    label,
    page: addressOf(`/docs/${tag}`, { lang: lang === 'curl' ? '' : lang }),
    isCurrent: lang === language,
  }))
}

function blocksOf(document: Document, described: Described, language: Language): Block[] {
  const { method, path, summary, description, access, fields } = described
  const operation = document.paths[path]?.[method.toLowerCase() as Method] as Operation
  const [status = '', success] =
    Object.entries(operation.responses).find(([each]) => Number(each) < 400) ?? []
  const returned = exampleOf(success && resolve(document, success))
  const body = operation.requestBody?.content?.['application/json']?.example
  const needsKey = (operation.parameters ?? []).some(
    (each) => resolve(document, each).name === 'Idempotency-Key' && resolve(document, each).required === true,
  )
  const sent = callIn(language, { ...described, body, needsKey })
  const errors = [...errorsOf(document, operation)].map(
    ([status, codes]): Fact => [String(status), codes.flatMap((code) => [word(code), ' '])],
  )
  return [
    {
      kind: 'note',
      tone: 'info',
      title: summary,
      id: nameOf(described),
      content: [...wordsIn(description), access && ` Access: ${access}.`],
    },
    ...(fields.length > 0 ? [fieldsTable(fields)] : []),
    { kind: 'command', label: `${method} ${path}`, command: sent },
    ...(returned ? [{ kind: 'command', label: `Returns ${status}`, command: returned } as const] : []),
    { kind: 'facts', facts: errors },
  ]
}

function fieldsTable(fields: Described['fields']): Block {
  return {
    kind: 'table',
    columns: [{ label: 'Field' }, { label: 'What it is' }],
    rows: fields.map(({ name, required, rule, says }): Inline[] => [
      [word(name), required ? '' : ' (optional)'],
      [...wordsIn(says), says && ' ', `(${rule})`],
    ]),
  }
}

const word = (code: string): Inline => ({ code, isWord: true })

/** A text of the document, whose backticks mark words of programs. */
function wordsIn(text: string): Inline[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : word(part)))
}

function exampleOf(message: { content?: Record<string, MediaType> } | undefined): string | undefined {
  const example = message?.content?.['application/json']?.example
  return example === undefined ? undefined : JSON.stringify(example, null, 1)
}
