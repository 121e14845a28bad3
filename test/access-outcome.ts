/** What an answer comes to for who asked, whatever its form: a document, its data, a file, a redirect. */

/**
 * `page`, `file`: shown. `home`, `login`, `away`: led there, or elsewhere. `missing`: 404, as though it were not there. `refused`: 401 or 403.
 * `no`: this address takes no such request. `taken`: its action has judged the form, well or not.
 */
export type Outcome = 'page' | 'file' | 'home' | 'login' | 'away' | 'missing' | 'refused' | 'no' | 'taken' | 'broken'

const led = (to: string): Outcome => {
  const { pathname } = new URL(to, 'http://shop.test')
  return pathname === '/' ? 'home' : pathname === '/login/' || pathname === '/login' ? 'login' : 'away'
}

export async function outcomeOf(response: Response, isSent = false): Promise<{ outcome: Outcome; text: string }> {
  const text = await response.text()
  const say = (outcome: Outcome) => ({ outcome, text })
  const { status } = response
  if (status >= 500) return say('broken')
  if (status >= 300 && status < 400) return say(led(response.headers.get('location') ?? ''))
  // Data of a page that leads elsewhere: the router's own way of saying so.
  const to = status === 202 && /"redirect","([^"]*)"/.exec(text)?.[1]
  if (to !== false && to !== undefined) return say(led(to))
  if (status === 404) return say('missing')
  if (status === 401 || status === 403) return say('refused')
  if (status === 405) return say('no')
  if (isSent) return say('taken')
  return say(/^text\/(html|x-script)/.test(response.headers.get('content-type') ?? '') ? 'page' : 'file')
}
