import {
  brief,
  ends,
  type Fact,
  foreignAttributes,
  type Inline,
  isLinkable,
  markAttributes,
  readable,
  shown,
} from '../page.ts'

/**
 * Makes an element. Texts stay texts, so nothing that others wrote becomes markup.
 * @param attributes by name, or the classes alone
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: string | Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  const given: Readonly<Record<string, string>> =
    typeof attributes === 'string' ? { class: attributes } : attributes
  for (const name in given) made.setAttribute(name, `${given[name]}`)
  made.append(...children)
  return made
}

/** Puts other children into an element. */
export function fill(parent: Element, ...children: readonly (Node | string)[]): void {
  parent.replaceChildren(...children)
}

/** A button that does something. */
export function button(label: string, act: (event: MouseEvent) => void, look = 'plain') {
  const made = element('button', { type: 'button', class: look }, label)
  made.onclick = act
  return made
}

/** Something within a line, as `html/inline.tsx` renders it on the server. */
export function inline(of: Inline): Node {
  if (typeof of === 'string') return new Text(of)
  if ('foreign' in of) return element('bdi', foreignAttributes(of), shown(of))
  if ('label' in of) {
    const label = inline(of.label)
    if ('page' in of) return element('a', { href: of.page }, label)
    const link = { href: of.href, rel: 'external nofollow ugc noopener' }
    return isLinkable(of.href) ? element('a', link, label) : label
  }
  if ('time' in of) return element('time', { datetime: of.time }, readable(of.time))
  if ('tag' in of) return element('span', 'tag', of.tag)
  if ('mark' in of) return element('span', markAttributes, of.mark)
  if ('code' in of)
    return of.brief
      ? element('code', { class: 'copyable', title: of.code }, ends(of.code))
      : element('code', 'copyable', of.code)
  if ('badge' in of) return element('span', `badge ${of.tone}`, of.badge)
  if ('amount' in of) {
    const data = element('data', { value: of.amount }, brief(of))
    return element('span', 'amount', data, ` ${of.unit}`)
  }
  const parts = new DocumentFragment()
  parts.append(...of.map(inline))
  return parts
}

/** A paragraph. */
export const paragraph = (of: Inline, look = '') => element('p', look, inline(of))

/** Names and their values. */
export function list(facts: readonly Fact[]): HTMLElement {
  const rows = facts.map(([label, value]) =>
    element('div', {}, element('dt', {}, label), element('dd', {}, inline(value))),
  )
  return element('dl', 'facts', ...rows)
}
