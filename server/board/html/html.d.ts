import type { Page } from '../page.ts'

/** What all pages have around them: addresses of the files they load, and the version of the service. */
export interface Frame {
  style: string
  script: string
  /** In place of `script`, where people act with their key. */
  desk: string
  icon: string
  version: string
  /** Address of the service where it is known whatever a request says: links to it may be absolute. */
  origin: string | undefined
}

/** A page as an HTML document. */
export function toHtml(page: Page, frame: Frame): string
