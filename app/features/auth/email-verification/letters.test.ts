import { expect, test } from 'vitest'
import { openSmtp, refusal } from '#test/open-smtp.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { change, confirm, customer, lettersTo, letterTo } from '#test/proof-letters.ts'

const HOUR = 60 * 60_000
const password = 'a-good-password'

test('S-227 links lead to the shop’s own address, never to one that a request names; where none is known the letter has the code alone', async () => {
  const shop = await openTestShop()
  await shop.customer()
  await shop.app(
    new Request('http://evil.test/reset-password', {
      method: 'POST',
      headers: { origin: 'http://shop.test', host: 'evil.test', 'x-forwarded-host': 'evil.test' },
      body: new URLSearchParams({ intent: 'ask', email: 'ann@mail.test' }),
    }),
  )
  const { text } = await letterTo(shop, 'ann@mail.test')
  expect([text.includes('evil.test'), text.includes('http://shop.test/reset-password/?code=')]).toEqual([false, true])
  shop.shop.letterOrigin = null
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const bare = await letterTo(shop, 'ann@mail.test')
  expect(bare.text).not.toContain('http')
  expect(bare.text).toContain(`go to the page /reset-password/ and type in this code:\n\n  ${bare.code}\n`)
})

test('S-227 nobody’s words but the shop’s are in a letter: what somebody calls herself is left out', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, false)
  await shop.db.updateTable('user').set({ name: 'Win a prize at evil.test {code}' }).where('id', '=', ann.id).execute()
  await change(ann, 'victim@mail.test')
  const { text, subject } = await letterTo(shop, 'victim@mail.test')
  expect(`${subject} ${text}`).not.toContain('prize')
})

test('S-231 a letter about an address that does not exist is no concern of the owner’s, and goes once its code has expired', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(550, 'no such mailbox') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await shop.visitor().post('/login/', { intent: 'register', email: 'bogus@mail.test', password })
  await shop.mail.deliverDue()
  const owner = await shop.owner()
  expect(await owner.page('/manage/')).not.toContain('See the mail')
  expect(await owner.page('/manage/mail/')).toContain('Whoever asked for it can ask again.')
  shop.clock.now += 73 * HOUR
  await shop.visitor().post('/login/', { intent: 'register', email: 'next@mail.test', password })
  expect(await lettersTo(shop, 'bogus@mail.test')).toEqual([])
})

test('S-237 too many letters, changes or codes wait with 429 and a text', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const ann = await shop.customer()
  let told = await ann.act('/account/verification', {})
  for (let tries = 0; tries < 20 && told.status === 200; tries++) told = await ann.act('/account/verification', {})
  expect([told.status, told.text.includes('Too many tries')]).toEqual([429, true])
  told = await change(ann, 'new@mail.test', 'wrong')
  for (let tries = 0; tries < 20 && told.status === 403; tries++) told = await change(ann, 'new@mail.test', 'wrong')
  expect([told.status, told.text.includes('Too many tries')]).toEqual([429, true])
  let response = await confirm(shop, 'x')
  for (let tries = 0; tries < 60 && response.status === 422; tries++) response = await confirm(shop, 'x')
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
})
