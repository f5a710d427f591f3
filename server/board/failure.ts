import { type Frame, toHtml } from '#board/html'
import type { ServiceError } from '../errors.ts'
import { logFailure } from '../http/access-log.ts'
import { toServiceError } from '../http/errors/service-error.ts'
import { privateCache } from '../http/headers.ts'
import type { FailWithPage } from '../http/pages/pages.ts'
import { errorResponse } from '../http/response.ts'
import type { Page } from './page.ts'

/** Headers of every page for people. It loads files of this server only, runs no inline script, and turns no text into markup. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  // Otherwise a page that opened this one could replace it.
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
}

/** Makes the function that responds with a page to what cannot be shown. */
export function failWithPage(frame: Frame): FailWithPage {
  return async (thrown, request, reply) => {
    const error = toServiceError(thrown)
    logFailure(request, error)
    const { status, headers } = errorResponse(error, request.id)
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': privateCache, ...pageHeaders })
      .send(toHtml(pageOf(error, request.id), frame))
  }
}

function pageOf(error: ServiceError, requestId: string): Page {
  const { status, code } = error
  return {
    path: null,
    ...wordsOf(error),
    blocks: [
      { kind: 'more', page: '/', label: 'Open bounties' },
      {
        kind: 'facts',
        facts: [
          ['Error', { code: `${status} ${code}` }],
          ['Request', { code: requestId }],
        ],
      },
    ],
  }
}

function wordsOf({ status, message, issues: [issue] = [] }: ServiceError): Pick<Page, 'title' | 'summary'> {
  if (status === 404)
    return {
      title: 'Not found',
      summary: 'There is no such page.',
    }
  if (status === 429)
    return {
      title: 'Too many requests',
      summary: 'Too many pages were requested from your address. Try again in a minute.',
    }
  if (status >= 500)
    return { title: 'Not now', summary: 'The page cannot be shown now. Try again in a moment.' }
  const title = 'This address is not valid'
  if (!issue?.path) return { title, summary: { foreign: message } }
  // What a schema says of itself lists values for programs.
  const problem = issue.message.startsWith('Invalid') ? 'has a value that does not exist' : issue.message
  return { title, summary: ['Its part “', { foreign: issue.path }, `” ${problem}.`] }
}
