type WithOrigin = { origin: string }
const HOST_PREFIX = '__Host-'
export const isSecure = ({ origin }: WithOrigin) => origin.startsWith('https:')

/** The server adds `Secure` on https. */
export const privateCookie = (name: string, value: string, seconds: number) =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

export function withHostPrefix(line: string) {
  const marked = /;\s*secure/i.test(line) ? line : `${line}; Secure`
  return marked.startsWith(HOST_PREFIX) ? marked : HOST_PREFIX + marked
}

export function readCookie(request: Request, info: WithOrigin, name: string) {
  const start = `${isSecure(info) ? HOST_PREFIX : ''}${name}=`
  const header = request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(start))
  return header?.slice(start.length) ?? ''
}
