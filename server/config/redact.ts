/** How many causes of an error are described. */
const deepest = 4
const issued = /\b(bm[kt]|whsec)_[\w+/=]+/g

/** Replaces API keys, access tokens and secrets of webhooks in a text. */
export function withoutIssued(text: string): string {
  return text.replace(issued, '$1_…')
}

/** Replaces addresses, which can hold credentials, and what the service has issued in a text. */
export function withoutSecrets(text: string): string {
  return withoutIssued(text.replace(/\b([a-z]+):\/\/\S+?(?=["'`).,;]*(\s|$))/gi, '$1://…'))
}

/** What of an error may be logged: class, code, frames, and words without the addresses, which can hold credentials. */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack, cause } = error
  const short =
    'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : message
  return {
    type: name,
    ...('code' in error && typeof error.code !== 'object' && { code: error.code }),
    message: withoutSecrets(short.slice(0, 500)),
    stack: stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
    ...(cause !== undefined && depth < deepest && { cause: describeError(cause, depth + 1) }),
  }
}
