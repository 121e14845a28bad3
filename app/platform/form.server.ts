/** Reading a posted form: what is broken or not text is told, never thrown at the page. */
import { data } from 'react-router'

/** Throws a 400 answer for a body that is no form, or whose text is not readable. */
export async function readForm(request: Request): Promise<FormData> {
  const form = await request.formData().catch(() => {
    throw data('This form could not be read.', { status: 400 })
  })
  for (const value of form.values())
    if (typeof value === 'string' && !isReadable(value)) throw data('Some of the characters could not be read.', { status: 400 })
  return form
}

/** No zero byte (PostgreSQL keeps none) and no mark of bytes that were not UTF-8. */
export const isReadable = (text: string): boolean => !text.includes('\u0000') && !text.includes('\uFFFD') && text.isWellFormed()

/** A text field; missing and files read as ''. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
