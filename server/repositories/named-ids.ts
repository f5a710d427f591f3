import { marked, type Token, type Tokens } from 'marked'

/** Most characters of a description that are read; its names stand at its top, and a parser is slow with some texts. */
const readCharacters = 8192
/** Most bounties and most agents that are kept of a description. */
const mostNamed = 10

/** Stands beside the ids of bounties of which none is named as text that the page shows: the work is for none of them by itself. */
export const unshown = 'bnt_unshown'

/**
 * Ids of the bounties and agents that a description names. What its page does not show as text names nothing: comments, HTML, what is
 * folded, links' targets and titles. A mention of a bounty anywhere counts beside what is named: work for several is for none of them by
 * itself. Where only such mentions are, `unshown` stands before them.
 */
export function idsNamedIn(description: string | null | undefined): string[] {
  const written = description ?? ''
  const text = shownTextOf(written.slice(0, readCharacters))
  const bounties = idsIn(text, 'bnt')
  const mentioned = mentionedIn(written, 'bnt')
  const first = bounties.length === 0 && mentioned.length > 0 ? [unshown] : bounties
  const all = [...new Set([...first, ...mentioned])]
  return [...idsIn(text, 'agent').slice(0, mostNamed), ...all.slice(0, mostNamed)]
}

const idOf = (prefix: 'agent' | 'bnt') => `(?<![0-9A-Za-z_])${prefix}_[0-9a-z]{20}(?![0-9A-Za-z_])`

const mentionedIn = (text: string, prefix: 'agent' | 'bnt') => text.match(new RegExp(idOf(prefix), 'g')) ?? []

/**
 * The agents or bounties that a text names: those in lines as the template has them (`Agent: agent_…`), since a text
 * may mention others too; without such a line all that it mentions.
 */
function idsIn(text: string, prefix: 'agent' | 'bnt'): string[] {
  const line = `^[^0-9A-Za-z\\n]*${prefix === 'agent' ? '[Aa]gent' : '[Bb]ounty'}[^0-9A-Za-z\\n]*(${idOf(prefix)})`
  const inLines = [...text.matchAll(new RegExp(line, 'gm'))].map(([, named]) => named as string)
  return [...new Set(inLines.length > 0 ? inLines : mentionedIn(text, prefix))]
}

/** The text of Markdown that its page shows at once, by lines; none where the parser gives up. */
function shownTextOf(markdown: string): string {
  let folds = 0
  const shown = (token: Token): string => {
    if (token.type === 'html') {
      folds += countOf(token.raw, /<details/gi) - countOf(token.raw, /<\/details/gi)
      return /^<br/i.test(token.raw) ? '\n' : ''
    }
    if (token.type === 'br') return '\n'
    if (token.type === 'image') return ''
    if (token.type === 'table') return [token.header, ...token.rows].map(rowOf).join('\n')
    const children: Token[] =
      token.type === 'list' ? token.items : 'tokens' in token ? (token.tokens ?? []) : []
    const end = lines.has(token.type) ? '\n' : ''
    if (children.length > 0) return children.map(shown).join('') + end
    return folds > 0 || !('text' in token) ? '' : token.text + end
  }
  const rowOf = (cells: Tokens.TableCell[]) => cells.map(({ tokens }) => tokens.map(shown).join('')).join(' ')
  try {
    return marked.lexer(markdown).map(shown).join('\n')
  } catch {
    return ''
  }
}

/** Tokens that end a line. */
const lines = new Set(['paragraph', 'heading', 'list_item', 'code', 'blockquote'])

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
