/** The fields of a project that its repository's name and description are made of. */
export interface NamedProject {
  id: string
  name: string
  description: string
}

const slugLength = 60
const idLength = 8
const descriptionLength = 350
const nameLength = 100
const alternatives = 5

/**
 * The names to try for a project's repository, in order: the slug of the project's name and the end of its id, then
 * numbered alternatives. Deterministic. At most 100 characters of `a-z`, `0-9` and `-`.
 */
export function repositoryNames(project: NamedProject): string[] {
  const id = project.id.toLowerCase().replace(/[^a-z0-9]/g, '')
  const base = `${slug(project.name)}-${id.slice(-idLength)}`
  return Array.from({ length: alternatives }, (_, index) => (index === 0 ? base : `${base}-${index + 1}`))
}

/**
 * The repository's description: the project's in one line, then the project id in brackets. {@link belongsTo} recognises
 * the repository by that id. At most 350 characters.
 */
export function repositoryDescription(project: NamedProject): string {
  const mark = markOf(project.id)
  const line = asLine(project.description)
  const room = descriptionLength - mark.length - 1
  return `${shorten(line, room)} ${mark}`.trim()
}

/** Whether the repository with this description was created for the project. */
export function belongsTo(description: string | null, project: { id: string }): boolean {
  return description?.trimEnd().endsWith(markOf(project.id)) ?? false
}

function markOf(id: string): string {
  return `[${id}]`
}

function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const trimmed = words
    .slice(0, slugLength + 1)
    .replace(/^-+/, '')
    .slice(0, slugLength)
    .replace(/-+$/, '')
  return trimmed || 'project'
}

/** A name that the host reports, as it may be stored: one line of at most 100 characters without control characters. */
export function asName(text: string): string {
  return shorten(asLine(text), nameLength)
}

/** `text` in one line. */
export function asLine(text: string): string {
  // GitHub refuses control characters; format characters could reverse the text's direction.
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function shorten(text: string, room: number): string {
  if (text.length <= room) return text
  // Does not cut a surrogate pair in half.
  return `${text
    .slice(0, room - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
