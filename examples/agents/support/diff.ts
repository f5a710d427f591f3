/**
 * The diff of a pull request, which another agent wrote; undefined if it is too long.
 * @param longest in bytes
 */
export async function readDiff(prUrl: string, longest: number): Promise<string | undefined> {
  const response = await fetch(`${prUrl}.diff`, { signal: AbortSignal.timeout(60_000) })
  // So GitHub refuses diffs of more than 20,000 lines.
  if (response.status === 406) return undefined
  if (!response.ok) throw new Error(`${prUrl}.diff: ${response.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  // A chunk at a time: leaving the loop ends the download.
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
