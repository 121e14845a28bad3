import { MIMEType } from 'node:util'
import { data } from 'react-router'
import { z, type ZodType } from 'zod'

/** More than any form of the shop has. Node takes seconds, with everybody waiting, for a million of them. */
export const MAX_FIELDS = 20_000

/** Throws a 400 answer for a body that is no form, or whose text is not readable; a 413 for one of too many fields. */
export async function readForm(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  for (const value of form.values())
    if (typeof value === 'string' && !isReadable(value)) throw data('Some of the characters could not be read.', { status: 400 })
  return form
}

/** The same for a form whose writer would lose much by a refusal: what no keyboard types is left out, the rest is kept. */
export async function readMendedForm(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  const mended = new FormData()
  for (const [name, value] of form) mended.append(name, typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value)
  return mended
}

async function parseOrRefuse(request: Request): Promise<FormData> {
  const form = await parseForm(request).catch(() => {
    throw data('This form could not be read.', { status: 400 })
  })
  if (form === null) throw data('This form has too many fields.', { status: 413 })
  return form
}

/** null: too many fields, counted before they are taken apart. */
async function parseForm(request: Request): Promise<FormData | null> {
  const type = request.headers.get('content-type') ?? ''
  const { essence, params } = new MIMEType(type)
  const separator = essence === 'application/x-www-form-urlencoded' ? '&' : `--${params.get('boundary') ?? ''}`
  const body = Buffer.from(await request.arrayBuffer())
  let fields = 1
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + separator.length))
    if (++fields > MAX_FIELDS) return null
  return new Response(body, { headers: { 'Content-Type': type } }).formData()
}

/** No zero byte (PostgreSQL keeps none) and no mark of bytes that were not UTF-8. */
export const isReadable = (text: string): boolean => !text.includes('\u0000') && !text.includes('\uFFFD') && text.isWellFormed()

export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** What was typed as the form's schema reads it, or the first refusal: it stands beside `field`. */
export function checkForm<Data>(
  schema: ZodType<Data>,
  typed: unknown,
): { ok: true; data: Data } | { ok: false; field: string; error: string } {
  const checked = schema.safeParse(typed)
  if (checked.success) return { ok: true, data: checked.data }
  const { path, message } = checked.error.issues[0]!
  return { ok: false, field: String(path[0]), error: message }
}

const Email = z.email().max(254)

export const isFitEmail = (email: string): boolean => Email.safeParse(email).success
