/** A finding about the configuration. `wrong` keeps the service from working, `warn` only a part of it. */
export interface Finding {
  level: 'ok' | 'warn' | 'wrong'
  /** The setting it is about. */
  about: string
  text: string
  /** The line of a start, where it differs. */
  atStart?: string
}

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warn = (about: string, text: string): Finding => ({ level: 'warn', about, text })
export const wrong = (about: string, text: string): Finding => ({ level: 'wrong', about, text })

/** A finding as a line of a start. */
export const lineAtStart = ({ about, text, atStart }: Finding) => atStart ?? `setting ${about}: ${text}`
