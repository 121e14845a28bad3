/** Somebody with a browser: keeps cookies, sends forms as a page of the shop would. */
import type { RequestHandler } from '#server/request-handler.ts'

export function person(app: RequestHandler, origin: string, address = '127.0.0.1') {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has('cookie'))
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await app(new Request(new URL(path, origin), { redirect: 'manual', ...init, headers }), { address })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0/i.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }

  const asBody = (form: Record<string, string> | FormData) => (form instanceof FormData ? form : new URLSearchParams(form))

  return {
    cookies,
    send,
    get: (path: string) => send(path),
    /** The page's HTML. */
    page: async (path: string) => (await send(path)).text(),
    /** Sends a form as a document does, without script. */
    post: (path: string, form: Record<string, string> | FormData) =>
      send(path, { method: 'POST', body: asBody(form), headers: { origin } }),
    /** Sends a form as script does and reads what the action answered: { status, text } with the encoded data. */
    async act(path: string, form: Record<string, string> | FormData) {
      const url = new URL(path, origin)
      const address = `${url.pathname.replace(/\/$/, '/_')}.data${url.search}`
      const response = await send(address, { method: 'POST', body: asBody(form), headers: { origin } })
      return { status: response.status, text: await response.text() }
    },
  }
}

export type Person = ReturnType<typeof person>
