import { MIMEType } from 'node:util'
import { data } from 'react-router'
import { z, type ZodType } from 'zod'
import { withoutControlCharacters } from '#lib/text/control-characters.ts'

/** Node would block for seconds on a million fields. */
export const MAX_FIELDS = 20_000

/** Parsing 10 MB of part headers would take seconds. */
const MAX_PART_HEADER_BYTES = 1024 * 1024

/** Limits the texts of a form together, not its files. Work on longer texts would take seconds. */
export const MAX_TEXT_BYTES = 256 * 1024

/** The limit of RFC 2046. The search for a longer boundary would take seconds. */
const MAX_BOUNDARY_LENGTH = 70

export const FORM_NOT_READ = 'This form could not be read.'

/** Throws 400 if the form cannot be read or stored, 413 if it has too many fields or texts. */
export async function parseForm(request: Request) {
  const form = await parseOrRefuse(request)
  for (const value of form.values()) {
    if (typeof value === 'string' && !isStorableText(value)) {
      throw data('Some of the characters could not be read.', { status: 400 })
    }
  }
  return changeTexts(form, withoutControlCharacters)
}

/** Removes characters that cannot be stored, because a refusal would lose a long text. */
export const parseFormLenient = async (request: Request) =>
  changeTexts(await parseOrRefuse(request), (text) => withoutControlCharacters(text).toWellFormed())

async function parseOrRefuse(request: Request) {
  const form = await parseBody(request).catch(() => {
    throw data(FORM_NOT_READ, { status: 400 })
  })
  if (form === null) throw data('This form is too large to read.', { status: 413 })
  return form
}

function changeTexts(form: FormData, change: (text: string) => string) {
  const changed = new FormData()
  for (const [name, value] of form) {
    changed.append(name, typeof value === 'string' ? change(value) : value)
  }
  return changed
}

/**
 * Browsers write exactly these headers of a file. The parser might read a file with other headers
 * as a text.
 */
const FILE_HEADER =
  /^\r\ncontent-disposition: form-data; name="[^"\r\n]*"; filename="[^"\r\n]*"(\r\ncontent-type: [^\r\n]*)?$/i

async function parseBody(request: Request) {
  const type = request.headers.get('content-type') ?? ''
  const { essence, params } = new MIMEType(type)
  const isUrlEncoded = essence === 'application/x-www-form-urlencoded'
  const boundary = params.get('boundary') ?? ''
  if (!isUrlEncoded && (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH)) {
    throw new Error('The boundary is not valid.')
  }
  const separator = isUrlEncoded ? '&' : `--${boundary}`
  const body = Buffer.from(await request.arrayBuffer())
  let fields = 1
  let headerBytes = 0
  let headerEnd = -1
  let textBytes = 0
  let isText = false
  for (
    let at = body.indexOf(separator);
    at !== -1;
    at = body.indexOf(separator, at + separator.length)
  ) {
    if (++fields > MAX_FIELDS) return null
    if (isUrlEncoded) continue
    if (isText) textBytes += Math.max(0, at - headerEnd)
    if (textBytes > MAX_TEXT_BYTES) return null
    if (headerEnd < at) headerEnd = body.indexOf('\r\n\r\n', at)
    if (headerEnd === -1) headerEnd = body.length
    headerBytes += headerEnd - at
    if (headerBytes > MAX_PART_HEADER_BYTES) return null
    isText = !FILE_HEADER.test(body.toString('latin1', at + separator.length, headerEnd))
  }
  return new Response(body, { headers: { 'Content-Type': type } }).formData()
}

/**
 * U+FFFD means that the browser sent invalid UTF-8. PostgreSQL refuses U+0000 and lone surrogates.
 */
export const isStorableText = (text: string) =>
  !text.includes('\u0000') && !text.includes('\uFFFD') && text.isWellFormed()

export const formText = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export const oneLine = z.string().overwrite((typed) => typed.replaceAll(/\s+/g, ' ').trim())

export const parsedText = <Value>(parse: (typed: string) => Value | null, error: string) =>
  z.string().transform((typed, context) => {
    const value = parse(typed)
    if (value !== null) return value
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })

type FormRefusal = {
  ok: false
  field: string
  error: string
  errors: Record<string, string>
}

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
