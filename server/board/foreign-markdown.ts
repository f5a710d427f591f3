import { type MarkedToken, marked, type Token } from 'marked'
import { shown } from './page.ts'

/** Deeper lists and quotes stay text, as does what the parser gives up on. */
const deepest = 8

/** What somebody wrote, as tokens of Markdown, which a page renders as the few elements that it allows. */
export function tokensOf(foreign: string): readonly MarkedToken[] {
  const text = shown({ foreign })
  try {
    const tokens = marked.lexer(text) as MarkedToken[]
    if (nestingOf(tokens) <= deepest) return tokens
  } catch {
    // A thousand quotes within each other exceed the stack of the parser.
  }
  return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text, escaped: false }] }]
}

/** What a token holds. */
export function childrenOf(token: Token): readonly MarkedToken[] {
  return (token.type === 'list' ? token.items : 'tokens' in token ? token.tokens : undefined) ?? []
}

/** The sentences of what somebody wrote without the signs of Markdown, for a line in a list; all of it where there are none. */
export function plainText(foreign: string): string {
  const tokens = tokensOf(foreign)
  const sentences = tokens.filter(({ type }) => type !== 'heading' && type !== 'code')
  const line = (of: readonly MarkedToken[]) => of.map(plain).join(' ').replace(/\s+/g, ' ').trim()
  return line(sentences) || line(tokens)
}

function plain(token: MarkedToken): string {
  const children = childrenOf(token)
  if (children.length === 0) return 'text' in token ? token.text : token.type === 'space' ? ' ' : ''
  return children.map(plain).join(token.type === 'list' ? ' · ' : '')
}

function nestingOf(tokens: readonly MarkedToken[], depth = 0): number {
  return Math.max(depth, ...tokens.map((token) => nestingOf(childrenOf(token), depth + 1)))
}
