import { MIMEType } from 'node:util'
import { data } from 'react-router'
import { z, type ZodType } from 'zod'

/** A form with more fields is refused, because Node would block for seconds on a million fields. No form of the shop has so many fields. */
export const MAX_FIELDS = 20_000

/** A multipart form is refused if the headers of its parts are longer than this in total, because Node would need seconds to parse 10 MB of headers. */
const MAX_PART_HEADER_BYTES = 1024 * 1024

/** Longer boundaries are invalid (RFC 2046). A search for a long boundary, which the sender chooses, would block the process for seconds. */
const MAX_BOUNDARY_LENGTH = 70

/** Parses a form. Throws a 400 response if the body cannot be parsed or a field is no valid text, and a 413 response if it has too many fields or its headers are too long. */
export async function parseForm(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  for (const value of form.values())
    if (typeof value === 'string' && !isStorableText(value))
      throw data('Some of the characters could not be read.', { status: 400 })
  return form
}

/** Parses a form with a long text. Characters that cannot be stored are removed, because the writer would lose the text if the form were refused. */
export async function parseFormLenient(request: Request): Promise<FormData> {
  const form = await parseOrRefuse(request)
  const mended = new FormData()
  for (const [name, value] of form)
    mended.append(
      name,
      typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value,
    )
  return mended
}

async function parseOrRefuse(request: Request): Promise<FormData> {
  const form = await parseBody(request).catch(() => {
    throw data('This form could not be read.', { status: 400 })
  })
  if (form === null) throw data('This form is too large to read.', { status: 413 })
  return form
}

/** Returns null if the form has too many fields, or if the headers of its parts are too long. Both are counted before they are parsed. */
async function parseBody(request: Request): Promise<FormData | null> {
  const type = request.headers.get('content-type') ?? ''
  const { essence, params } = new MIMEType(type)
  const isUrlEncoded = essence === 'application/x-www-form-urlencoded'
  const boundary = params.get('boundary') ?? ''
  if (!isUrlEncoded && (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH))
    throw new Error('The boundary is not valid.')
  const separator = isUrlEncoded ? '&' : `--${boundary}`
  const body = Buffer.from(await request.arrayBuffer())
  let fields = 1
  let headerBytes = 0
  let headerEnd = -1
  for (
    let at = body.indexOf(separator);
    at !== -1;
    at = body.indexOf(separator, at + separator.length)
  ) {
    if (++fields > MAX_FIELDS) return null
    if (isUrlEncoded) continue
    // Without an end, the rest of the body counts as a header, and is not searched again.
    if (headerEnd < at) headerEnd = body.indexOf('\r\n\r\n', at)
    if (headerEnd === -1) headerEnd = body.length
    headerBytes += headerEnd - at
    if (headerBytes > MAX_PART_HEADER_BYTES) return null
  }
  return new Response(body, { headers: { 'Content-Type': type } }).formData()
}

/** Returns false if PostgreSQL could not store the text, or if the text contains the replacement character, which shows that the browser sent invalid UTF-8. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\u0000') && !text.includes('\uFFFD') && text.isWellFormed()

export const formText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export type FormRefusal = {
  ok: false
  field: string
  error: string
  errors: Record<string, string>
}

/** Returns the parsed values. If values are invalid, returns the first error with its `field`; `errors` then contains the first error of each field. */
export function validateForm<Data>(
  schema: ZodType<Data>,
  typed: unknown,
): { ok: true; data: Data } | FormRefusal {
  const checked = schema.safeParse(typed)
  if (checked.success) return { ok: true, data: checked.data }
  const errors: Record<string, string> = {}
  for (const { path, message } of checked.error.issues) errors[String(path[0])] ??= message
  const [field, error] = Object.entries(errors)[0]!
  return { ok: false, field, error, errors }
}

const Email = z.email().max(254)

export const isValidEmail = (email: string): boolean => Email.safeParse(email).success
