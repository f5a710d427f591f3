import type { DocumentedOperation } from '../types.ts'

/** Gives the success its real status, description and waiting time and drops the generator's guesses about errors. */
export function describeSuccess({ meta, operation }: DocumentedOperation): void {
  const success = operation.responses['200']
  if (!success) throw new Error(`${operation.operationId}: no success response`)
  success.description = meta.status === 201 ? 'Created.' : 'Done.'
  operation.responses = { [meta.status]: success }
  if (meta.clientTimeoutSeconds !== undefined)
    operation['x-client-timeout-seconds'] = meta.clientTimeoutSeconds
  if (meta.keyOnly || (meta.returnsSecret && meta.access === 'agent')) operation['x-key-only'] = true
  // All others have the `security` of the document.
  if (meta.access === 'public') operation.security = []
  else delete operation.security
}

/** Removes the body if the operation takes no fields in it, and requires it only if a field is required. */
export function describeRequestBody({ operation }: DocumentedOperation): void {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!operation.requestBody || !schema) return
  if (Object.keys(schema.properties ?? {}).length === 0) delete operation.requestBody
  else operation.requestBody.required = (schema.required ?? []).length > 0
}
