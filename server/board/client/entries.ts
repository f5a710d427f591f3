import type { Inline, Row } from '../page.ts'
import { addCopyButtons } from './copy.ts'
import { element, fill, inline, paragraph } from './dom.ts'
import { addAges } from './times.ts'

/** A row as `html/blocks.tsx` renders it on the server, and below it what can be done. */
export function entry({ title, figure = '', note = '', details = [] }: Row, ...more: Node[]): HTMLElement {
  const heading = element('h3', 'title', inline(title))
  const line = detailsOf(details)
  return element('li', {}, heading, paragraph(figure, 'figure'), line, paragraph(note, 'worth'), ...more)
}

/** One line of several things. */
export const detailsOf = (details: readonly Inline[]) =>
  element('p', 'details', ...details.map((detail) => element('span', {}, inline(detail))))

/** Something under a heading; of rows that there are none of what to say then, or nothing. */
export function section(
  title: string,
  body: HTMLElement | readonly HTMLElement[],
  empty: Inline = '',
): HTMLElement[] {
  const none = empty && paragraph(empty, 'empty')
  const shown = body instanceof HTMLElement ? body : body.length ? element('ul', 'entries', ...body) : none
  return shown ? [element('section', {}, element('h2', {}, title), shown)] : []
}

/** Something to copy, and what it is. */
export const command = (label: string, text: string) =>
  element('div', 'command', paragraph(label), element('pre', 'copyable', text))

/** Puts something else into a part of the desk. A row that had the focus has it again. */
export function show(parent: Element, ...children: readonly Node[]): void {
  const href = parent.contains(document.activeElement) && document.activeElement?.getAttribute('href')
  fill(parent, ...children)
  addCopyButtons(parent)
  addAges(parent)
  if (href) [...parent.querySelectorAll('a')].find((link) => link.getAttribute('href') === href)?.focus()
}
