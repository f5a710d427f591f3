/** Names shorter than this are too close to other programs' to be called mistakes. */
const shortest = 8
const mostEdits = 2

/** Variables that look like one of `known` written wrongly, as `[given, meant]`. */
export function misspelledNames(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): [string, string][] {
  const settings = new Set(known)
  return Object.keys(environment).flatMap((name) => {
    if (settings.has(name) || name.length < shortest) return []
    const meant = known.find((setting) => setting.length >= shortest && edits(name, setting) <= mostEdits)
    return meant ? [[name, meant] as [string, string]] : []
  })
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
