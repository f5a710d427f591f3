/** A finding about the configuration. `wrong` keeps the service from working, `warn` only a part of it. */
export interface Finding {
  level: 'ok' | 'warn' | 'wrong'
  /** The setting it is about. */
  about: string
  text: string
}

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warn = (about: string, text: string): Finding => ({ level: 'warn', about, text })
export const wrong = (about: string, text: string): Finding => ({ level: 'wrong', about, text })
