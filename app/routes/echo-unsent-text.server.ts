import { formText } from '#lib/http/form-data.server.ts'

/**
 * Without JavaScript, the answer replaces the page, so it repeats the typed text. Returns null with
 * JavaScript.
 */
export function echoUnsentText(
  form: FormData,
  error: string,
  status: number,
  typed = formText(form, 'message'),
) {
  if (!form.has('back')) return null
  const text = `${error}\n\nYour text was not sent. Copy it from here, or go back, change it and send it again.\n\n\n${typed}\n`
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
