import type { Field } from '../page.ts'
import type { PageRequest } from './definition.ts'
import { offsetOf, pageSize } from './parts.ts'

/** The input of a list by filters and offset, for one entry more than a page shows. The procedure refuses what is not valid. */
export function listInput(query: PageRequest['query']) {
  return { ...query, offset: offsetOf(query), limit: pageSize + 1 }
}

/** A field that searches a list. */
export function searchField(query: PageRequest['query'], name = 'q', label = 'Search'): Field {
  return { kind: 'search', name, label, value: query[name] ?? '' }
}

/** A field that chooses one of the values that the operation knows, or any. */
export function choiceField(
  name: string,
  label: string,
  query: PageRequest['query'],
  values: readonly string[],
): Field {
  const options = values.map((value) => [value, value.replaceAll('_', ' ')] as const)
  return { kind: 'choice', name, label, value: query[name] ?? '', options: [['', `any ${name}`], ...options] }
}
