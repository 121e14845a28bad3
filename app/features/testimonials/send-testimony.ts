/** The browser's end of the write form: neither a lost connection nor a refused form takes the page down, with what was typed on it. */
import { data, isRouteErrorResponse } from 'react-router'
import { isTooLong, testimonyTexts, type WriteAnswer } from './testimony.ts'

const say = (error: string | undefined, status: number) => data<WriteAnswer>({ isMatched: false, error }, { status })

/** S-046. `send` is the router's way to the action of the route. */
export async function sendTestimony<Sent>(form: FormData, send: () => Promise<Sent>) {
  const isWriting = form.get('intent') === 'write'
  // The server says so too, but reads no form that is very much too long.
  if (isWriting && isTooLong(String(form.get('testimony')))) return say(testimonyTexts.tooLong, 422)
  return send().catch((error: unknown) => {
    if (error instanceof Response) throw error
    if (isRouteErrorResponse(error) && typeof error.data === 'string') return say(error.data, error.status)
    // S-046: no message where a testimony could not be sent; the bar of the lost connection says what there is to say.
    return say(isWriting ? undefined : testimonyTexts.notReached, 503)
  })
}
