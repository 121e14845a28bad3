/** A shop whose owner reads her reports. */
import { openTestShop } from './open-test-shop.ts'
import { wordsOf } from './words.ts'

/** `html` and `words` of /manage/reports/ for the search part of an address. */
export async function openReports(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const owner = await shop.owner()
  const html = (search = '') => owner.page(`/manage/reports/${search}`)
  return { ...shop, owner, html, words: async (search = '') => wordsOf(await html(search)) }
}
