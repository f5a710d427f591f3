import { button, element, fill } from './dom.ts'

const shownMs = 5000
const toast = element('p', { class: 'toast', role: 'status' })
let hiding = 0

/** Gives everything that can be copied a button, where the browser lets pages write to the clipboard. */
export function addCopyButtons(within: ParentNode): void {
  // Browsers have it on https and localhost only.
  if (!navigator.clipboard) return
  document.body.append(toast)
  addEventListener('pagehide', () => fill(toast))
  for (const code of within.querySelectorAll<HTMLElement>('.copyable')) {
    const text = (code.title || code.textContent) ?? ''
    const brief = `${text.slice(0, 12)}…`
    const copy = button('', () => void write(text, brief), 'copy')
    copy.ariaLabel = `Copy ${brief}`
    code.after(copy)
  }
}

async function write(text: string, brief: string): Promise<void> {
  toast.textContent = await navigator.clipboard.writeText(text).then(
    () => `Copied ${brief}`,
    () => 'Not copied.',
  )
  clearTimeout(hiding)
  hiding = window.setTimeout(() => fill(toast), shownMs)
}
