import { type ErrorCode, errorCatalog } from '../server/errors.ts'
import type { Document, Operation, Response } from './types.ts'

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference
}

/** What `part` refers to, or `part` itself. @throws if that does not exist */
export function resolve<Part extends { $ref?: string }>({ components }: Document, part: Part): Part {
  if (part.$ref === undefined) return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  const target = (components as unknown as Record<string, Record<string, Part>>)[kind]?.[name]
  if (!target) throw new Error(`${part.$ref} does not exist`)
  return target
}

/** The codes of the errors that a response describes; none for a success. */
export function codesOf(document: Document, response: Response): ErrorCode[] {
  const [, narrowed] = resolve(document, response).content?.['application/json']?.schema?.allOf ?? []
  return (narrowed?.properties?.error?.properties?.code?.['x-extensible-enum'] ?? []) as ErrorCode[]
}

/** The codes of the errors of an operation by their status: each that it lists, and those of its `default` at all others. */
export function errorsOf(document: Document, { responses }: Operation): Map<number, ErrorCode[]> {
  const { default: usual, ...listed } = responses
  const own = Object.entries(listed).map(
    ([status, response]) => [Number(status), codesOf(document, response)] as const,
  )
  const errors = new Map(own.filter(([, codes]) => codes.length > 0))
  for (const code of usual ? codesOf(document, usual) : []) {
    const { status } = errorCatalog[code]
    if (!(status in listed)) errors.set(status, [...(errors.get(status) ?? []), code])
  }
  return new Map([...errors].sort(([left], [right]) => left - right))
}
