/** Replaces addresses, which can hold credentials, and API keys in a text. */
export function withoutSecrets(text: string): string {
  return text.replace(/\b([a-z]+):\/\/\S+?(?=["'`).,;]*(\s|$))/gi, '$1://…').replace(/bmk_\w+/g, 'bmk_…')
}
