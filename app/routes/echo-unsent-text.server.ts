/** Without JavaScript, the response to a refused form replaces the page, and typed text would be lost. So the response contains the text. [S-133] */
import { formText } from '#app/lib/http/form-data.server.ts'

/** Returns null if the form was sent with JavaScript, because then the page still shows the text. */
export function echoUnsentText(
  form: FormData,
  error: string,
  status: number,
  typed = formText(form, 'message'),
): Response | null {
  if (!form.has('back')) return null
  const text = `${error}\n\nYour text was not sent. Copy it from here, or go back, change it and send it again.\n\n\n${typed}\n`
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
