/** Without JavaScript, a refused form leaves its page, so the response contains the typed text. [S-133] */
import { formText } from '#app/lib/http/form-data.server.ts'

/** null: the form was sent with JavaScript, so the text is still in it. */
export function echoUnsentText(form: FormData, error: string, status: number): Response | null {
  if (!form.has('back')) return null
  const text = `${error}\n\nYour text was not sent. Copy it from here, or go back, change it and send it again.\n\n\n${formText(form, 'message')}\n`
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
