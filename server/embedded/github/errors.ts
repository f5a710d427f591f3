/** One item of GitHub's `errors`. */
export interface FieldError {
  resource: 'Repository' | 'PullRequest' | 'Blob'
  code: 'custom' | 'missing_field' | 'invalid' | 'too_large'
  field?: string
  message?: string
}

/** An error response of GitHub's, with GitHub's own wording. */
export class GitHubError extends Error {
  override name = 'GitHubError'
  readonly status: number
  private readonly errors: (FieldError | string)[] | undefined
  /** Seconds after which a repetition can help. */
  readonly retryAfter: string | undefined

  constructor(status: number, message: string, errors?: (FieldError | string)[], retryAfter?: string) {
    super(message)
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get body() {
    const { message, errors } = this
    const documentation_url = 'https://docs.github.com/rest'
    return { message, ...(errors && { errors }), documentation_url, status: String(this.status) }
  }
}

/** Characters of each text, as GitHub takes them. */
const longest: Record<string, number> = {
  title: 256,
  head: 255,
  body: 65_536,
  commit_title: 1_000,
  commit_message: 65_536,
  name: 255,
  details_url: 2_048,
  target_url: 2_048,
  context: 255,
  description: 140,
  summary: 65_535,
  text: 65_535,
}

/** @throws GitHubError 422 for a text that is longer than GitHub takes it */
export function requireLengths(fields: Record<string, unknown>): void {
  for (const [field, most] of Object.entries(longest)) {
    const value = fields[field]
    if (typeof value === 'string' && value.length > most)
      throw invalid(`Validation Failed: ${field} is too long (maximum is ${most} characters)`)
  }
}

/** What GitHub says about a file that its contents API does not return. */
export const tooLarge = () =>
  new GitHubError(
    403,
    'This API returns blobs up to 1 MB in size. The requested blob is too large to fetch via the API: fetch it with git.',
    [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  )

export const notFound = () => new GitHubError(404, 'Not Found')

/** What GitHub says about fields that it does not accept. */
export function invalid(message: string, ...errors: (FieldError | string)[]): GitHubError {
  return new GitHubError(422, message, errors.length > 0 ? errors : undefined)
}
