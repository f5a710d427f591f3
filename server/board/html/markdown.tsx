/** @jsxRuntime automatic @jsxImportSource preact */
import type { MarkedToken, Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { childrenOf, tokensOf } from '../foreign-markdown.ts'

/**
 * Markdown that somebody else wrote. Nothing in it becomes HTML: each token that is known becomes an element here, and all others,
 * pictures and HTML among them, stay text.
 */
export function ForeignMarkdown({ foreign }: { foreign: string }) {
  return <div class="prose foreign">{tokensOf(foreign).map(view)}</div>
}

function view(token: MarkedToken): ComponentChildren {
  const children = () => childrenOf(token).map(view)
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{children()}</p>
    // No heading of the page: its outline is the board's.
    case 'heading':
      return (
        <p class="heading" dir="auto">
          {children()}
        </p>
      )
    case 'list':
      return token.ordered ? <ol start={token.start || 1}>{children()}</ol> : <ul>{children()}</ul>
    case 'list_item':
      return (
        <li class={token.task ? 'todo' : undefined} dir="auto">
          {children()}
        </li>
      )
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'table':
      return <TableOf {...token} />
    case 'blockquote':
      return <blockquote>{children()}</blockquote>
    case 'code':
      return <pre>{token.text}</pre>
    case 'codespan':
      return <code>{token.text}</code>
    case 'strong':
      return <strong>{children()}</strong>
    case 'em':
      return <em>{children()}</em>
    case 'del':
      return <s>{children()}</s>
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'link':
      return <ForeignLink {...token}>{children()}</ForeignLink>
    // Nothing of it is HTML here, but its lines stay lines.
    case 'html':
      return !token.block ? token.raw : <p dir="auto">{token.raw.trim()}</p>
    case 'text':
      return token.tokens ? children() : token.text
    case 'escape':
      return token.text
    default:
      return token.raw
  }
}

function TableOf({ header, rows }: Tokens.Table) {
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') => (
    <tr>
      {row.map(({ tokens }) => (
        <Cell dir="auto">{(tokens as MarkedToken[]).map(view)}</Cell>
      ))}
    </tr>
  )
  return (
    <table>
      <thead>{cells(header, 'th')}</thead>
      <tbody>{rows.map((row) => cells(row, 'td'))}</tbody>
    </table>
  )
}

/** A link elsewhere, which shows where it leads whatever its words say. */
function ForeignLink({ href, text, children }: { href: string; text: string; children: ComponentChildren }) {
  const url = URL.parse(href)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return children
  return (
    <a href={url.href} rel="external nofollow ugc noopener">
      {children}
      {!`${text}/`.startsWith(`${url.origin}/`) && <span class="host"> ({url.host})</span>}
    </a>
  )
}
