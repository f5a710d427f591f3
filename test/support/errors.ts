import { expect } from 'vitest'
import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import type { ApiResponse } from './api.ts'

/** Expects the one shape of an error, whole, with the code and the status that belongs to it. */
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
export function expectInvalid(answer: ApiResponse, ...paths: string[]): void {
  expectError(answer, 'validation_failed')
  const named = answer.body.error.issues.map((issue: { path: string }) => issue.path)
  expect([...new Set(named)].sort()).toEqual(paths.toSorted())
}
