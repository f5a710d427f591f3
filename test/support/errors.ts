import { expect } from 'vitest'
import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import type { ApiResponse } from './api.ts'

/** Expects an error response in the one shape of errors, with the code and its status. */
export function expectError({ status, body, headers }: ApiResponse, code: ErrorCode): void {
  const { status: expected, retryable } = errorCatalog[code]
  expect({ status, code: body?.error?.code }).toEqual({ status: expected, code })
  const withIssues = code === 'validation_failed'
  expect(body).toEqual({
    error: {
      code,
      message: expect.stringMatching(/\S/),
      retryable,
      request_id: headers.get('x-request-id'),
      ...(withIssues && { issues: expect.any(Array) }),
    },
  })
}

/** Expects a failed validation that names exactly these fields. */
export function expectInvalid(response: ApiResponse, ...paths: string[]): void {
  expectError(response, 'validation_failed')
  const named = response.body.error.issues.map((issue: { path: string }) => issue.path)
  expect([...new Set(named)].sort()).toEqual(paths.toSorted())
}
