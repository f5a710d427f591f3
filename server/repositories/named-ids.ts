/** Most bounties and most agents that are kept of a description. */
const mostNamed = 10
/** Names stand at the top: so many characters are looked through for them. */
const mostPlain = 8192

/** Stands beside the ids of bounties of which none is named in plain text: the work is for none of them by itself. */
export const unshown = 'bnt_unshown'

/**
 * Ids of the bounties and agents that a description names in plain text, which every page shows. A mention of a bounty anywhere counts
 * beside what is named: work for several is for none of them by itself. Where only such mentions are, `unshown` stands before them.
 */
export function idsNamedIn(description: string | null | undefined): string[] {
  const written = description ?? ''
  const plain = plainTextOf(written.slice(0, mostPlain).replace(/\r\n?/g, '\n'))
  const mentioned = idsIn(readable(written), 'bnt').slice(0, mostNamed)
  const isShown = mentioned.length === 0 || idsIn(plain, 'bnt').length > 0
  return [...agentsIn(plain).slice(0, mostNamed), ...(isShown ? [] : [unshown]), ...mentioned]
}

const idOf = (prefix: 'agent' | 'bnt') => `(?<![0-9A-Za-z])${prefix}_[0-9a-z]{20}(?![0-9A-Za-z])`

const idsIn = (text: string, prefix: 'agent' | 'bnt'): string[] => [
  ...new Set(text.match(new RegExp(idOf(prefix), 'g'))),
]

/** What is emphasized, escaped or written as entities reads the same. */
function readable(text: string): string {
  const characterOf = (_: string, decimal?: string, hex?: string) =>
    String.fromCharCode(decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 95)
  return text
    .replace(/&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|lowbar);/g, characterOf)
    .replace(/[\\*`~]|\p{Cf}/gu, '')
}

/** The agents in lines as the template has them (`Agent: agent_…`), since a text may mention others too; without such a line all. */
function agentsIn(text: string): string[] {
  const line = new RegExp(`^[^0-9A-Za-z]*[Aa]gent[^0-9A-Za-z]*(${idOf('agent')})`)
  const inLines = text.split('\n').flatMap((written) => line.exec(written)?.[1] ?? [])
  return inLines.length > 0 ? [...new Set(inLines)] : idsIn(text, 'agent')
}

/** A comment or a picture that holds nothing which could begin something else. */
const harmless = /<!--[^<`~$[]*?-->|<img [^<>\n`$]*>/g

/**
 * The part of a description that needs no parser to be sure that its page shows it: the paragraphs before the first HTML, mathematics
 * or block of code, without those that may be a table, a footnote, a link or an image, or go on with one, and without those that hold
 * signs which turn a line around, or white space that is none for Markdown.
 */
function plainTextOf(markdown: string): string {
  const [before = ''] = markdown.replace(harmless, '').split(/<|\$\$|```|~~~/, 1)
  const paragraphs = before.split(/\n(?:[ \t]*\n)+/).map((text) => text.replace(/^\n/, ''))
  return paragraphs.filter((text) => !/^\s|[[|$]|(?![ \t\n])[\p{C}\p{Z}]/u.test(text)).join('\n')
}
