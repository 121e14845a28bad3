/** Somebody who is signed in and sends forms as a browser does. */

export type Customer = { origin: string; cookie: string; post: (path: string, form: Record<string, string>) => Promise<Response> }

export async function signIn(origin: string, credentials: { email: string; password: string }): Promise<Customer> {
  const entered = await send(origin, '/login/', { intent: 'login', ...credentials }, '')
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
