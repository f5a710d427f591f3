/**
 * What no rule ever allows, whatever its globs say, in any letter case, since some runners ignore that: files by which the code host or a
 * test runner decides what a check is.
 */
const never = /^(\.github(\/.*)?|\.gitmodules|(.*\/)?(conftest|sitecustomize)\.py)$/s

/**
 * Whether a path matches a glob: `*` is anything within a folder, `**` anything, and `**` with a slash any folders or none. Everything else is
 * itself. All places in the glob are followed at once, so no glob takes long, as a regular expression could.
 */
function matches(glob: string, path: string): boolean {
  const tokens = glob.match(/\*\*\/|\*\*?|[^*]/gu) ?? []
  const enter = (place: number, places: Set<number>): void => {
    places.add(place)
    if (tokens[place]?.startsWith('*')) enter(place + 1, places)
  }
  let places = new Set<number>()
  enter(0, places)
  for (const sign of path) {
    const next = new Set<number>()
    for (const place of places) {
      const token = tokens[place]
      if (token === '**/') next.add(place)
      if (token === '**' || (token === '*' && sign !== '/')) enter(place, next)
      else if (token === sign || (token === '**/' && sign === '/')) enter(place + 1, next)
    }
    places = next
  }
  return places.has(tokens.length)
}

/** Whether a path of a repository matches one of the globs, and may be allowed at all. */
export function isAllowed(path: string, globs: readonly string[]): boolean {
  if (path.split('/').some((folder) => folder === '' || folder === '.' || folder === '..')) return false
  if (never.test(path.normalize('NFKC').toLowerCase())) return false
  return globs.some((glob) => matches(glob, path))
}
