/** Without script a refused form leaves its page: what was typed is shown again, whole, so that nothing of it is lost (S-133). */
import { textOf } from '#app/platform/form.server.ts'

/** null with script: there the text still stands where it was typed. */
export function keptText(form: FormData, error: string, status: number): Response | null {
  if (!form.has('back')) return null
  const text = `${error}\n\nYour text was not sent. Here it is, to copy; or go back, change it and send it again.\n\n\n${textOf(form, 'message')}\n`
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
