import { MIMEType } from 'node:util'
import { data } from 'react-router'
import { z, type ZodType } from 'zod'

/** No form of the shop has more fields. Node blocks for seconds on a million of them. */
export const MAX_FIELDS = 20_000

/** Throws 400 for a body or text that cannot be read, and 413 for too many fields. */
export async function parseForm(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  for (const value of form.values())
    if (typeof value === 'string' && !isStorableText(value)) throw data('Some of the characters could not be read.', { status: 400 })
  return form
}

/** Removes characters that cannot be stored instead of refusing the form, for forms whose writer would lose much. */
export async function parseFormLenient(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  const mended = new FormData()
  for (const [name, value] of form) mended.append(name, typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value)
  return mended
}

async function parseOrRefuse(request: Request): Promise<FormData> {
  const form = await parseBody(request).catch(() => {
    throw data('This form could not be read.', { status: 400 })
  })
  if (form === null) throw data('This form has too many fields.', { status: 413 })
  return form
}

/** null: the form has too many fields, which are counted before they are parsed. */
async function parseBody(request: Request): Promise<FormData | null> {
  const type = request.headers.get('content-type') ?? ''
  const { essence, params } = new MIMEType(type)
  const separator = essence === 'application/x-www-form-urlencoded' ? '&' : `--${params.get('boundary') ?? ''}`
  const body = Buffer.from(await request.arrayBuffer())
  let fields = 1
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + separator.length))
    if (++fields > MAX_FIELDS) return null
  return new Response(body, { headers: { 'Content-Type': type } }).formData()
}

/** true: the text contains no zero byte, which PostgreSQL refuses, and no replacement character, which shows that bytes were not UTF-8. */
export const isStorableText = (text: string): boolean => !text.includes('\u0000') && !text.includes('\uFFFD') && text.isWellFormed()

export const formText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export type FormRefusal = { ok: false; field: string; error: string; errors: Record<string, string> }

/** Returns the parsed values, or the first error with its `field`, and in `errors` the first error of every field. */
export function validateForm<Data>(schema: ZodType<Data>, typed: unknown): { ok: true; data: Data } | FormRefusal {
  const checked = schema.safeParse(typed)
  if (checked.success) return { ok: true, data: checked.data }
  const errors: Record<string, string> = {}
  for (const { path, message } of checked.error.issues) errors[String(path[0])] ??= message
  const [field, error] = Object.entries(errors)[0]!
  return { ok: false, field, error, errors }
}

const Email = z.email().max(254)

export const isValidEmail = (email: string): boolean => Email.safeParse(email).success
