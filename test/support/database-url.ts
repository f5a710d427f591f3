/** Name of the migrated database that every test database is copied from. */
export const templateDatabase = 'template_marketplace'

/** `url` with another database. */
export function databaseUrl(url: string, database: string): string {
  const parts = new URL(url)
  parts.pathname = `/${database}`
  return parts.href
}
