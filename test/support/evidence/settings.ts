import { secretSettings } from '../../../server/config/secrets.ts'

/**
 * The secret parts of a setting, each with its description. In a URL, the password is secret; in a node's URL also the parts
 * in which providers put the access key. Host and port are not secret, and another test may listen there later.
 */
export function secretsOf(name: string, setting: string): { what: string; value: string }[] {
  if (!(secretSettings as readonly string[]).includes(name)) return []
  return setting.split(',').flatMap((value) => {
    if (!URL.canParse(value)) return [{ what: name, value }]
    const { password, pathname, search } = new URL(value)
    const secret = [{ what: `password in ${name}`, value: decodeURIComponent(password) }]
    if (name === 'CHAIN_RPC_URL')
      for (const part of [...pathname.split('/'), search.replace(/^\?([^=]*=)?/, '')])
        secret.push({ what: `access key in ${name}`, value: part })
    return secret.filter(({ value }) => value !== '')
  })
}
