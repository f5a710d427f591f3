import { button, element } from './dom.ts'

/**
 * A field for the key, which is no password field in a form: browsers offer to store those. It has no name and is emptied at
 * once, so that the key gets into no address and no form data.
 */
export function keyField(enter: (key: string) => Promise<void>): HTMLElement {
  const input = element('input', {
    type: 'text',
    class: 'secret',
    autocomplete: 'one-time-code',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const take = () => {
    const key = input.value.trim()
    input.value = ''
    void enter(key)
  }
  input.onkeydown = ({ key }) => {
    if (key === 'Enter') take()
  }
  return element(
    'div',
    'key',
    element('label', {}, 'API key or access token', input),
    button('Sign in', take, ''),
  )
}

/** Whether it can be a key: others cannot be sent. */
export const isKey = (text: string) => /^[!-~]+$/.test(text)

/** Opens links to other pages in another tab while `isOpen`: leaving the page would forget the key. */
export function openLinksBeside(isOpen: () => boolean): void {
  document.addEventListener('click', ({ target }) => {
    const link = (target as Element).closest('a')
    if (link && !link.download && link.pathname !== location.pathname) link.target = isOpen() ? '_blank' : ''
  })
}

/** Warns whoever leaves the page while something on it would be lost. Returns what ends that. */
export function warnLeavers(): () => void {
  const warning = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', warning)
  return () => removeEventListener('beforeunload', warning)
}
