/** Somebody who writes to a shop that may be killed at any moment: a browser of its own, from an address of its own. */
export type Form = Record<string, string | File>
export type Told = 'kept' | 'refused' | 'unheard'

export type Client = ReturnType<typeof openClient>

export function openClient(origin: string, address: string) {
  let cookie = ''
  /** 'unheard': the shop was gone before it could say anything, or nothing was understood of it. */
  async function send(path: string, form: Form, from = address): Promise<{ told: Told; text: string }> {
    const isPlain = Object.values(form).every((value) => typeof value === 'string')
    const body = isPlain ? new URLSearchParams(form as Record<string, string>) : new FormData()
    if (body instanceof FormData) for (const [name, value] of Object.entries(form)) body.set(name, value)
    try {
      const response = await fetch(origin + path, {
        method: 'POST',
        body,
        headers: { origin, cookie, 'x-forwarded-for': from },
        redirect: 'manual',
        signal: AbortSignal.timeout(120_000),
      })
      const text = await response.text()
      const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
      if (set.length > 0) cookie = set.join('; ')
      return { told: response.status < 400 ? 'kept' : 'refused', text }
    } catch {
      return { told: 'unheard', text: '' }
    }
  }
  return {
    send,
    enter: (intent: 'login' | 'register', who: { email: string; password: string }) => send('/login', { intent, ...who }),
  }
}
