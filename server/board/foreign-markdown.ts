import { Marked, type MarkedToken, type Token } from 'marked'
import { shown } from './page.ts'

/** Deeper lists and quotes stay text, as does what the parser gives up on. */
const deepest = 8
/** Signs of emphasis and links, and characters of a word: what the parser needs grows with their square, so more of them stay text. */
const mostSigns = 800
const longestWord = 1000

/** A table has as many cells as its head has for each line, whatever stands there: of more than so many, it stays text. */
const mostCells = 300

const markdown = new Marked({
  tokenizer: { table: (text) => (cellsOf(text) <= mostCells ? false : undefined) },
})

/** About how many cells a table at the beginning of a text would have. */
function cellsOf(text: string): number {
  const [lines = ''] = text.split(/\n\s*\n/, 1)
  const [head = ''] = lines.split('\n', 1)
  return head.split('|').length * lines.split('\n').length
}

/** What somebody wrote, as tokens of Markdown, which a page renders as the few elements that it allows. */
export function tokensOf(foreign: string): readonly MarkedToken[] {
  const text = shown({ foreign })
  const plain = { type: 'text', raw: text, text, escaped: false } as const
  return parsed(text) ?? [{ type: 'paragraph', raw: text, text, tokens: [plain] }]
}

/** Undefined where the text is no Markdown that a page renders. */
function parsed(text: string): MarkedToken[] | undefined {
  if (!isCheap(text)) return undefined
  try {
    const tokens = markdown.lexer(text) as MarkedToken[]
    return nestingOf(tokens) <= deepest ? tokens : undefined
  } catch {
    // A thousand quotes within each other exceed the stack of the parser.
    return undefined
  }
}

function isCheap(text: string): boolean {
  const signs = text.match(/[*_~[]/g)?.length ?? 0
  return signs <= mostSigns && text.split(/\s+/).every((word) => word.length <= longestWord)
}

/** What a token holds. */
export function childrenOf(token: Token): readonly MarkedToken[] {
  if (token.type === 'table') return [token.header, ...token.rows].flat().flatMap((cell) => cell.tokens)
  return (token.type === 'list' ? token.items : 'tokens' in token ? token.tokens : undefined) ?? []
}

function nestingOf(tokens: readonly MarkedToken[], depth = 0): number {
  return Math.max(depth, ...tokens.map((token) => nestingOf(childrenOf(token), depth + 1)))
}
