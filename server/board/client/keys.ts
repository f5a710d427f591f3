const titles = '.entries > li > .title a'

/** `/` begins a search; with the focus in a list, `j` and `k` go to the next row and to the one before. */
export function addKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    if (altKey || ctrlKey || metaKey || (target as Element).closest('input, select, textarea')) return
    const row = (target as Element).closest('.entries > li') ?? openIn((target as Element).closest('.inbox'))
    const next =
      key === '/'
        ? document.querySelector<HTMLElement>('input[type=search]')
        : row && (key === 'j' || key === 'k')
          ? beside(row, key === 'j' ? 1 : -1)
          : undefined
    if (!next) return
    event.preventDefault()
    next.focus()
  })
}

/** The row of what is open beside its list. */
const openIn = (inbox: Element | null) => inbox?.querySelector('li:has([aria-current])')

function beside(row: Element, step: number): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(titles)]
  return all[all.findIndex((title) => row.contains(title)) + step]
}
