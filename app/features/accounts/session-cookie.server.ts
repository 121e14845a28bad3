/** What a browser shows of its session, read without the library (040). Whatever is not as plain as it always is, the library judges. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** 256 bits */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/

/** The token of a session cookie that the shop has signed; null: there is none, or the library must look at it. */
export function readSessionToken(cookies: string, name: string, secret: string): string | null {
  const found = cookies.split(';').filter((part) => part.trim().startsWith(`${name}=`))
  const [only] = found
  if (only === undefined || found.length > 1) return null
  const [, token = '', signature = ''] = /^([\w-]{16,128})\.([^.]+)$/.exec(decoded(only.trim().slice(name.length + 1))) ?? []
  if (!SIGNATURE.test(signature)) return null
  const right = createHmac('sha256', secret).update(token).digest()
  const told = Buffer.from(signature, 'base64')
  return told.length === right.length && timingSafeEqual(told, right) ? token : null
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
