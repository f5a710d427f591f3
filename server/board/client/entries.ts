import type { Inline } from '../page.ts'
import { element, inline } from './dom.ts'

/** A part of the desk with its entries, or what to say where there are none. */
export function part(title: string, entries: readonly HTMLElement[], empty: Inline): HTMLElement[] {
  const body = entries.length ? element('ul', 'entries', ...entries) : element('p', 'empty', inline(empty))
  return [element('h3', {}, title), body]
}

/** An entry of a list: a title, a figure and details. */
export function entry([title, figure]: readonly [Inline, Inline], details: readonly Inline[]): HTMLElement {
  const parts = details.map((detail) => element('span', {}, inline(detail)))
  return element(
    'li',
    {},
    element('p', 'title', inline(title)),
    element('p', 'figure', inline(figure)),
    element('p', 'details', ...parts),
  )
}
