/** Shorter names are too close to other programs' variables to be called mistakes. */
const shortestName = 8

/** Variables whose names differ a little from one of `known`, as pairs of given and meant name. */
export function misspelledNames(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): [given: string, meant: string][] {
  const settings = known.filter((name) => name.length >= shortestName)
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || name.length < shortestName) return []
    const near = (mistakes: number) => settings.find((setting) => isWithin(mistakes, name, setting))
    const meant = near(1) ?? near(2)
    return meant ? [[name, meant] as [string, string]] : []
  })
}

/** Whether adding, leaving out or changing at most so many letters makes one name of the other. */
function isWithin(mistakes: number, one: string, other: string): boolean {
  if (one === '' || other === '') return one.length + other.length <= mistakes
  const rest = one.slice(1)
  const otherRest = other.slice(1)
  if (one[0] === other[0]) return isWithin(mistakes, rest, otherRest)
  if (mistakes === 0) return false
  const go = (...names: [string, string]) => isWithin(mistakes - 1, ...names)
  return go(rest, otherRest) || go(rest, other) || go(one, otherRest)
}
