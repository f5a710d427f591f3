import type { DocumentedOperation } from '../types.ts'

/** Gives the success its real status and description and drops the generator's guesses about errors. */
export function describeSuccess({ meta, operation }: DocumentedOperation): void {
  const success = operation.responses['200']
  if (!success) throw new Error(`${operation.operationId}: no success response`)
  success.description = meta.status === 201 ? 'Created.' : 'Done.'
  operation.responses = { [meta.status]: success }
  operation.security = meta.access === 'agent' ? [{ apiKey: [] }] : []
}
