import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { walk } from '../../openapi/finish/names.ts'
import { whole } from '../../openapi/fits.ts'
import { resolve } from '../../openapi/references.ts'
import type { Document, Schema } from '../../openapi/types.ts'
import { docComment } from './doc-comment.ts'
import { taskSchemas } from './tasks.ts'

/** A named type of each of these schemas, which may refer to each other, by openapi-typescript. */
export async function schemaSource(document: Document, schemas: Record<string, Schema>): Promise<string> {
  const described = structuredClone(schemas)
  described.EntryFacts = factsOf(described.Entry ?? {})
  for (const [name, schema] of Object.entries(described)) {
    const own = schema.allOf?.at(-1)
    if (own?.properties?.data) described[name] = { ...schema, allOf: [entryFacts, own] }
    else if (own) described[name] = whole({ document, schema })
    walk(described[name] ?? schema, ({ properties = {} }) => {
      for (const field of Object.values(properties)) describe(document, field)
    })
  }
  Object.assign(described, taskSchemas(described.Task ?? {}))
  const input = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: described },
  }
  const nodes = await openapiTypescript(input as unknown as OpenAPI3, {
    defaultNonNullable: false,
    alphabetize: true,
    silent: true,
    // "A string that is none of these" has no type in TypeScript. The marked string keeps the union discriminated.
    transform: (schema) => {
      const { not, 'x-extensible-enum': values } = schema as Schema
      if (not) return ts.factory.createTypeReferenceNode('Unlisted')
      return values && openUnion(values)
    },
  })
  const types = nodes.flatMap((node) => membersOf(withUndefined(node, false), ['components', 'schemas']))
  const models = types.map(({ name, type }) => {
    const declaration = ts.factory.createTypeAliasDeclaration(exported, name, undefined, type)
    return docComment(schemas[name]?.description ?? '') + astToString(byName(declaration))
  })
  return `import type { Unlisted } from '../core/unlisted.ts'\n\n${models.join('\n')}`
}

const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)]

/** The members of the type at the end of the path, each with its type. */
function membersOf(node: ts.Node, [own, ...path]: string[]): { name: string; type: ts.TypeNode }[] {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== own) return []
  let members: readonly ts.TypeElement[] = node.members
  for (const name of path) {
    const member = members.find(({ name: found }) => found && ts.isIdentifier(found) && found.text === name)
    const inner = member && ts.isPropertySignature(member) ? member.type : undefined
    members = inner && ts.isTypeLiteralNode(inner) ? inner.members : []
  }
  return members.flatMap((member) =>
    ts.isPropertySignature(member) && member.type && ts.isIdentifier(member.name)
      ? [{ name: member.name.text, type: member.type }]
      : [],
  )
}

/** Refers to a schema by the name of its type, where openapi-typescript writes `components["schemas"]["Name"]`. */
function byName<Node extends ts.Node>(node: Node): Node {
  const rename = (child: ts.Node): ts.Node => {
    const isOfSchema = ts.isIndexedAccessTypeNode(child) && ts.isIndexedAccessTypeNode(child.objectType)
    const index = isOfSchema ? child.indexType : undefined
    const name =
      index && ts.isLiteralTypeNode(index) && ts.isStringLiteral(index.literal) && index.literal.text
    return name ? ts.factory.createTypeReferenceNode(name) : ts.visitEachChild(child, rename, undefined)
  }
  return rename(node) as Node
}

const entryFacts: Schema = { $ref: '#/components/schemas/EntryFacts' }

/** What all entries have but `data`: intersected with it, each variant would let people read members that it lacks. */
function factsOf({ properties = {}, required = [], ...entry }: Schema): Schema {
  const { data: _, ...facts } = properties
  return { ...entry, properties: facts, required: required.filter((name) => name !== 'data') }
}

/** These values or any other text; editors complete the values. */
function openUnion(values: readonly unknown[]): ts.TypeNode {
  const { createIntersectionTypeNode: both, createKeywordTypeNode, createTypeLiteralNode } = ts.factory
  const literals = values.map((value) =>
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(String(value))),
  )
  const any = both([createKeywordTypeNode(ts.SyntaxKind.StringKeyword), createTypeLiteralNode([])])
  return ts.factory.createUnionTypeNode([...literals, any])
}

/**
 * Allows `undefined` in the optional fields of queries and bodies, where it is absent. Otherwise `exactOptionalPropertyTypes`
 * refuses `{ limit: maybe }`.
 */
function withUndefined(node: ts.Node, isSent: boolean): ts.Node {
  const isField = ts.isPropertySignature(node) && node.type !== undefined
  const sent = isSent || (isField && ts.isIdentifier(node.name) && /(Request|Query)$/.test(node.name.text))
  const inner = ts.visitEachChild(node, (child) => withUndefined(child, sent), undefined)
  if (!isSent || !ts.isPropertySignature(inner) || !inner.questionToken || !inner.type) return inner
  const { modifiers, name, questionToken, type } = inner
  const orUndefined = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
  const union = ts.factory.createUnionTypeNode([type, orUndefined])
  return ts.factory.updatePropertySignature(inner, modifiers, name, questionToken, union)
}

/** Gives a field that refers to a kind of text or number the description of that, unless it has its own. */
function describe(document: Document, field: Schema): void {
  if (!field.$ref || field.description !== undefined) return
  const {
    description,
    enum: closed,
    'x-extensible-enum': values = closed,
    type,
  } = resolve(document, { $ref: field.$ref } as Schema)
  if (description !== undefined && !values && (type === 'string' || type === 'integer'))
    field.description = description
}
