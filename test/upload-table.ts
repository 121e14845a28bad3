/** Somebody who uploads a table as the page's form does without script, and looks at what comes of it. */
import type { Person as Anybody } from './person.ts'

type Person = Pick<Anybody, 'get' | 'page' | 'post'>

const PAGE = '/manage/tables/'

/** `check`: id of the kept check, '' when the file was refused; `page`: what is shown, in words. */
export async function uploadTable(owner: Person, body: string | Uint8Array<ArrayBuffer>, name = 'items.csv') {
  const form = new FormData()
  form.set('intent', 'check')
  form.set('file', new File([body], name, { type: 'text/csv' }))
  const response = await owner.post(PAGE, form)
  const address = response.headers.get('location') ?? ''
  const html = address ? await owner.page(address) : await response.text()
  return { status: response.status, check: address.split('check=')[1] ?? '', address, page: wordsOf(html) }
}

export async function applyTable(owner: Person, check: string) {
  const response = await owner.post(PAGE, { intent: 'apply', check })
  const address = response.headers.get('location')
  return { status: response.status, page: wordsOf(address ? await owner.page(address) : await response.text()) }
}

export const downloadTable = async (owner: Person, style = ''): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    await (await owner.get(`/manage/items.csv${style && `?style=${style}`}`)).arrayBuffer(),
  )

/** The words of the page's own part, one space between each. */
export const wordsOf = (html: string): string =>
  /<main[\s\S]*<\/main>/
    .exec(html)![0]
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
