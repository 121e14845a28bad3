import { domainToASCII, domainToUnicode } from 'node:url'

const MAX_ADDRESS_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
const LOCAL_PART =
  /^(?:[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-;=?-[\]-~]|\\["\\])+")$/u
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu

const partsOf = (address: string) => {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** International domains and quoted local parts are valid, too. [S-487] */
export function isEmailAddress(text: string) {
  if (text.length > MAX_ADDRESS_LENGTH) return false
  const { local, domain } = partsOf(text)
  return (
    local.length > 0 &&
    local.length <= MAX_LOCAL_LENGTH &&
    LOCAL_PART.test(local) &&
    DOMAIN.test(domain) &&
    domainToASCII(domain) !== ''
  )
}

/** `Anna@xn--mller-kva.example` and `anna@MÜLLER.example` become `anna@müller.example`. */
export function canonicalEmail(typed: string) {
  const address = typed.trim().toLowerCase()
  if (!isEmailAddress(address)) return address
  const { local, domain } = partsOf(address.normalize('NFC'))
  return `${local}@${domainToUnicode(domain)}`
}
