/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import {
  type Amount,
  brief,
  ends,
  foreignAttributes,
  grouped,
  type Inline,
  isLinkable,
  markAttributes,
  readable,
  shown,
} from '../page.ts'

/** Something within a line. A function and no component, because there are hundreds in a page. Preact escapes every text. */
export function inline(of: Inline): ComponentChildren {
  if (typeof of === 'string') return of
  if ('foreign' in of) return <bdi {...foreignAttributes(of)}>{shown(of)}</bdi>
  if ('page' in of) return <a href={of.page}>{inline(of.label)}</a>
  if ('href' in of) {
    if (!isLinkable(of.href)) return inline(of.label)
    return (
      <a href={of.href} rel="external nofollow ugc noopener">
        {inline(of.label)}
      </a>
    )
  }
  if ('time' in of) return <time dateTime={of.time}>{readable(of.time)}</time>
  if ('tag' in of) return <span class="tag">{of.tag}</span>
  if ('mark' in of) return <span {...markAttributes}>{of.mark}</span>
  if ('code' in of) {
    if (!of.brief) return <code class={of.isWord ? undefined : 'copyable'}>{of.code}</code>
    return (
      <code class="copyable" title={of.code}>
        {ends(of.code)}
      </code>
    )
  }
  if ('badge' in of) return <span class={`badge ${of.tone}`}>{of.badge}</span>
  if ('amount' in of)
    return (
      <span class="amount">
        <data value={of.amount} title={titleOf(of)}>
          {brief(of)}
        </data>{' '}
        {of.unit}
      </span>
    )
  return of.map(inline)
}

/** The whole amount, where not all of it is shown. */
function titleOf(amount: Amount): string | undefined {
  const whole = grouped(amount.amount)
  return whole === brief(amount) ? undefined : `${whole} ${amount.unit}`
}
