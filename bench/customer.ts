/** Somebody who is signed in and sends forms as a browser does. */

export type Customer = { origin: string; cookie: string; post: (path: string, form: Record<string, string>) => Promise<Response> }

type Credentials = { email: string; password: string }

export const signIn = (origin: string, credentials: Credentials) => enter(origin, 'login', credentials)
export const register = (origin: string, credentials: Credentials) => enter(origin, 'register', credentials)

async function enter(origin: string, intent: 'login' | 'register', credentials: Credentials): Promise<Customer> {
  const entered = await send(origin, '/login/', { intent, ...credentials }, '')
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  if (!cookie.includes('session_token')) throw new Error(`${credentials.email} could not sign in: ${entered.status}`)
  return { origin, cookie, post: (path, form) => send(origin, path, form, cookie) }
}

async function send(origin: string, path: string, form: Record<string, string>, cookie: string): Promise<Response> {
  const response = await fetch(origin + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin, cookie },
    redirect: 'manual',
  })
  await response.arrayBuffer()
  return response
}
