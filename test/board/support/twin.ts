import { marked, type Token } from 'marked'

/** What a reader of Markdown makes of a text. */
export interface Markup {
  links: string[]
  headings: string[]
  /** Pictures and HTML, as they are written. */
  brought: string[]
}

/** Reads Markdown as its readers do. */
export function markupOf(text: string): Markup {
  const markup: Markup = { links: [], headings: [], brought: [] }
  const tokens = marked.lexer(text)
  // Definitions of links elsewhere in the text are collected apart.
  for (const { href } of Object.values(tokens.links)) markup.links.push(href ?? '')
  marked.walkTokens(tokens, (token: Token) => {
    if (token.type === 'link') markup.links.push(token.href)
    if (token.type === 'heading') markup.headings.push(token.text)
    if (token.type === 'image' || token.type === 'html') markup.brought.push(token.raw)
  })
  return markup
}

/** Where the twin of a page leads instead of this link: to the twin of a page, and to anything else likewise. */
export function twinAddress(link: string): string {
  const [path = '', query] = link.replace(/#.*/, '').split('?')
  if (!/^\/[^.]*$/.test(path)) return link
  return `${path === '/' ? '/index' : path}.md${query === undefined ? '' : `?${query}`}`
}

/** What a page of the board says and where it leads, but for charts, forms, what is Markdown, and what is true only at one moment. */
export function factsOf(html: string): { text: string; links: string[] } {
  const main = html
    .replace(/^.*<main[^>]*>|<\/main>.*$/gs, '')
    .replace(/<div class="prose foreign">.*?<\/div>/gs, '')
    .replace(/<(svg|form|noscript)\b.*?<\/\1>/gs, '')
    .replace(/<dt>As of<\/dt><dd>.*?<\/dd>/gs, '')
  const links = [...main.matchAll(/<a [^>]*?href="([^"]*)"/g)]
  return {
    text: main.replace(/<[^>]*>/g, ' '),
    links: links.map(([, link = '']) => link.replaceAll('&amp;', '&')),
  }
}

/** Numbers as they are written in a text: `1,234.5`. */
export function numbersIn(text: string): string[] {
  return text.match(/\d+(,\d{3})*(\.\d+)?/g) ?? []
}
