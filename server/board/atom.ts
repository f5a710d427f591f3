import { Feed } from 'feed'
import { shown } from './page.ts'

/** A list as feed readers get it. Its texts are plain; they become markup here. */
export interface AtomFeed {
  title: string
  /** Path and query of the feed. */
  path: string
  /** Path and query of the page that shows the list. */
  page: string
  entries: readonly FeedEntry[]
}

/** An entry of a feed. */
export interface FeedEntry {
  /** Path of the page it leads to, which nothing else in the feed has. */
  page: string
  title: string
  paragraphs: readonly string[]
  /** When it happened, ISO 8601. */
  at: string
  /** When its text changed last, if it ever did. */
  updated?: string | undefined
  tags?: readonly string[] | undefined
}

const name = 'Bounty marketplace'

/** A feed as Atom (RFC 4287), whose addresses begin with `baseUrl`. */
export function toAtom({ title, path, page, entries }: AtomFeed, baseUrl: string): string {
  const feed = new Feed({
    id: `${baseUrl}${path}`,
    title: legible(title),
    link: `${baseUrl}${page}`,
    feedLinks: { atom: `${baseUrl}${path}` },
    // Without entries it has never changed.
    updated: new Date(Math.max(0, ...entries.map(({ at, updated = at }) => Date.parse(updated)))),
    author: { name },
    generator: name,
  })
  for (const entry of entries) {
    const { at, updated = at } = entry
    const times = { date: new Date(updated), published: new Date(at) }
    feed.addItem({
      id: `${baseUrl}${entry.page}`,
      link: `${baseUrl}${entry.page}`,
      ...times,
      title: markup(entry.title),
      content: entry.paragraphs
        .map((text) => `<p>${markup(text).replace(/\r\n|[\n\r]/g, '<br>')}</p>`)
        .join(''),
      category: (entry.tags ?? []).map((term) => ({ term })),
    })
  }
  return feed.atom1()
}

/** Text without the characters that XML cannot hold. */
function legible(text: string): string {
  return shown({ foreign: text }).replace(/[\ufffe\uffff]/g, '\ufffd')
}

/** Text as HTML. The library puts it into sections of CDATA and escapes the first end of one alone: here is none. */
function markup(text: string): string {
  return legible(text).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
