const issued = /\b(bmk|whsec)_[\w+/=]+/g

/** Replaces API keys and secrets of webhooks in a text. */
export function withoutIssued(text: string): string {
  return text.replace(issued, '$1_…')
}

/** Replaces addresses, which can hold credentials, and what the service has issued in a text. */
export function withoutSecrets(text: string): string {
  return withoutIssued(text.replace(/\b([a-z]+):\/\/\S+?(?=["'`).,;]*(\s|$))/gi, '$1://…'))
}
