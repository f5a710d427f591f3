import type { ErrorCode } from '../server/errors.ts'
import type { Document, Response } from './types.ts'

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
  return (narrowed?.properties?.error?.properties?.code?.enum ?? []) as ErrorCode[]
}
