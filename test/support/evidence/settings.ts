import { secretSettings } from '../../../server/config/secrets.ts'

/**
 * What is secret in a setting, each part with what it is. Of an address that is its password, and of a node's also what
 * providers put the access key into: host and port are no secret, and another test may come to listen there.
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
