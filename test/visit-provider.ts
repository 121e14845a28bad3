/** The way to a provider and back, as a browser without script goes it. */
import type { Person } from './person.ts'

/** The address that the page on the way there leads to. */
export const goingTo = (response: Response): string => /^0; url=(.+)$/.exec(response.headers.get('refresh') ?? '')?.[1] ?? ''

/** What the provider asks the browser to open at the end: the shop's own address of return, as a path. */
export async function visitProvider(address: string, who: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) {
      const text = await response.text()
      if (!text.includes('Who are you?')) throw new Error(`the provider said ${response.status}: ${text.slice(0, 400)}`)
      url = new URL(`?who=${encodeURIComponent(who)}`, url)
      continue
    }
    const next = new URL(location, url)
    if (next.origin !== url.origin) return next.pathname + next.search
    url = next
  }
  throw new Error('the provider goes round in a ring')
}

/** Presses "Log In with …", chooses `who` there and comes back. */
export async function signInWith(person: Person, who: string, form: Record<string, string> = {}, provider = 'google'): Promise<Response> {
  const going = await person.post(`/login/${provider}`, { purpose: 'login', popup: '', ...form })
  return person.get(await visitProvider(goingTo(going), who))
}
