/** Reads and writes cookies. If the shop uses https, the names of its cookies begin with `__Host-`, so that no other host can set these cookies. [S-204] */

type WithOrigin = { origin: string }
const HOST_PREFIX = '__Host-'
export const isSecure = ({ origin }: WithOrigin): boolean => origin.startsWith('https:')

export function withHostPrefix(line: string): string {
  const marked = /;\s*secure/i.test(line) ? line : `${line}; Secure`
  return marked.startsWith(HOST_PREFIX) ? marked : HOST_PREFIX + marked
}

/** Returns the value of a cookie, or '' if the request does not contain the cookie. `name` is the name without the prefix. */
export function readCookie(request: Request, info: WithOrigin, name: string): string {
  const start = `${isSecure(info) ? HOST_PREFIX : ''}${name}=`
  const found = request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(start))
  return found?.slice(start.length) ?? ''
}
