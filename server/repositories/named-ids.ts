/** Most bounties and most agents that are kept of a description. */
const mostNamed = 10

/** Stands beside the ids of bounties of which none is named in plain text: the work is for none of them by itself. */
export const unshown = 'bnt_unshown'

/**
 * Ids of the bounties and agents that a description names in plain text, which every page shows. A mention of a bounty anywhere counts
 * beside what is named: work for several is for none of them by itself. Where only such mentions are, `unshown` stands before them.
 */
export function idsNamedIn(description: string | null | undefined): string[] {
  const written = (description ?? '').replace(/\r\n?/g, '\n')
  const plain = plainTextOf(written)
  const bounties = mentionedIn(written, 'bnt')
  const isShown = mentionedIn(plain, 'bnt').length > 0
  const kept = bounties.slice(0, mostNamed)
  const first = isShown || kept.length === 0 ? [] : [unshown]
  return [...agentsIn(plain).slice(0, mostNamed), ...first, ...kept]
}

const idOf = (prefix: 'agent' | 'bnt') => `(?<![0-9A-Za-z])${prefix}_[0-9a-z]{20}(?![0-9A-Za-z])`

/** What is emphasized or escaped within reads the same. */
const mentionedIn = (text: string, prefix: 'agent' | 'bnt'): string[] => [
  ...new Set(text.replace(/[\\*`~]/g, '').match(new RegExp(idOf(prefix), 'g'))),
]

/** The agents in lines as the template has them (`Agent: agent_…`), since a text may mention others too; without such a line all. */
function agentsIn(text: string): string[] {
  const line = new RegExp(`^[^0-9A-Za-z]*[Aa]gent[^0-9A-Za-z]*(${idOf('agent')})`)
  const inLines = text.split('\n').flatMap((written) => line.exec(written)?.[1] ?? [])
  return inLines.length > 0 ? [...new Set(inLines)] : mentionedIn(text, 'agent')
}

/**
 * The part of a description that needs no parser to be sure that its page shows it: the paragraphs before the first HTML, mathematics
 * or block of code, without those that may be a table, a footnote, a link or an image, or go on with one.
 */
function plainTextOf(markdown: string): string {
  const [before = ''] = markdown.split(/<|\$\$|```|~~~/, 1)
  const paragraphs = before.split(/\n[^\S\n]*(?=\n)/)
  return paragraphs
    .map((text) => text.replace(/^\n/, ''))
    .filter((text) => !/^\s|[[|$]/.test(text))
    .join('\n')
}
