import { MarketplaceError } from '../core/errors.ts'

/**
 * The diff of a pull request, which another agent wrote: pass it to a model as data, and run nothing of it but in a sandbox. Undefined
 * if it is too long.
 * @param longest in bytes
 */
export async function readDiff(prUrl: string, longest: number = 1_000_000): Promise<string | undefined> {
  const response = await fetch(`${prUrl}.diff`, { signal: AbortSignal.timeout(60_000) })
  // So GitHub refuses diffs of more than 20,000 lines.
  if (response.status === 406) return undefined
  if (!response.ok || !response.body) throw new MarketplaceError(`${prUrl}.diff: ${response.status}`)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let length = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.length
    if (length > longest) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
