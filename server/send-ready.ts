/** Sends what is packed: one look at what the browser takes and knows already, and one write (039). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import fresh from 'fresh'
import { acceptedEncodings } from './accepted-encoding.ts'
import type { Form, ReadyPage } from './ready-page.ts'

const same = (form: Form) => form

/** The smallest form that is there and that the browser takes. A part of it (Range) is not given: nobody resumes a page. */
export function send({ method, headers }: IncomingMessage, response: ServerResponse, { status, forms }: ReadyPage, marked = same): void {
  const encoding = acceptedEncodings(headers['accept-encoding']).find((one) => forms[one])!
  const form = marked(forms[encoding]!)
  if (status === 200 && headers['if-none-match'] !== undefined && fresh(headers, { etag: form.etag })) {
    response.writeHead(304, form.unchangedHead).end()
    return
  }
  response.writeHead(status, form.head)
  if (method === 'HEAD') response.end()
  else response.end(form.body)
}
