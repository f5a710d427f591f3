import { closestMatch } from 'leven'

/** Shorter names are too close to other programs' variables to be called mistakes. */
const shortestName = 8
const maxDistance = 2

/** Variables whose names differ a little from one of `known`, as pairs of given and meant name. */
export function misspelledNames(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): [given: string, meant: string][] {
  const settings = known.filter((name) => name.length >= shortestName)
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || name.length < shortestName) return []
    const meant = closestMatch(name, settings, { maxDistance })
    return meant ? [[name, meant] as [string, string]] : []
  })
}
