import { expect, test } from 'vitest'
import { hrefOf, pageOf, within } from '#test/fixtures/html.ts'
import {
  answerWith,
  hasUser,
  logInToLink,
  sameBrowser,
  say,
  seenBy,
} from '#test/fixtures/accounts.ts'
import { insert } from '#test/fixtures/catalog.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { storedPaths } from '#test/fixtures/images.ts'
import {
  openTestShop,
  type TestShop,
  openShopWithAnn,
  openShopWithOwner,
} from '#test/fixtures/test-shop.ts'
import { openShopWithPayments } from '#test/fixtures/payments.ts'
import { openShopWithCustomer, WORDS } from '#test/fixtures/prepared-shops.ts'
import { readPdf } from '#test/fixtures/pdf.ts'
import { ORIGIN } from '#test/fixtures/test-shop.ts'
import { readPdfFile } from '#print-documents/print-documents.server.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { paymentReference } from '#payments/payments.server.ts'
import { removeExpiredBuyers } from './invoice-retention.server.ts'
import { deleteAccount } from './delete-account.server.ts'
import { deleteAccountTexts, deletionSummaryTexts } from '#account/texts.ts'

const password = 'a-good-password'

/**
 * Returns the database rows that contain one of the texts. Ignores the email to the owner about the
 * customer's open order.
 */
async function findTraces({ db }: TestShop, ...texts: string[]) {
  const found: string[] = []
  for (const [table, rows] of Object.entries(await listAllRows(db))) {
    for (const row of rows) {
      if (table === 'outbox' && row.kind === 'left') continue
      const text = JSON.stringify(row).toLowerCase()
      // Searches only for whole words, because a random id may contain a short name by chance.
      for (const sought of texts) {
        if (new RegExp(`(?<![a-z\\d])${sought.toLowerCase()}(?![a-z\\d])`).test(text)) {
          found.push(`${sought} in ${table}: ${text}`)
        }
      }
    }
  }
  return found
}

test('after a customer deletes her account in a shop whose invoices keep no names, no table or file contains any of her data or of the guest merged into it [LOGIN-24, S-222]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  await saveSettings(shop.db, { invoiceYears: '0' }, 1)
  const guest = await shop.guest()
  await shop.db.updateTable('user').set({ name: 'Gwen' }).where('id', '=', guest.id).execute()
  await say(guest, 'Hello')
  await owner.act(`/manage/messages/${guest.id}`, { intent: 'close', confirm: 'Yes' })
  await logInToLink(guest, { email: 'ann@mail.test', password })
  await answerWith(guest, 'Yes', await seenBy(guest))
  expect(await hasUser(shop, guest.id)).toBe(false)
  const person = [
    ann.id,
    'Gwen',
    'ann@mail.test',
    'Ann',
    'Knotwell',
    WORDS,
    'AnnsPhotoAnnsPhotoAnns',
  ]
  for (const text of person) expect(await findTraces(shop, text), text).not.toEqual([])
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: true })
  expect(await findTraces(shop, guest.id, ...person)).toEqual([])
  expect(await storedPaths(shop)).toEqual([])
  expect(
    (await shop.db.selectFrom('images').select('path').orderBy('path').execute()).map(
      ({ path }) => path,
    ),
  ).toEqual(['items/moon-0.webp', 'items/sun-0.webp'])
})

test('sales to a deleted customer stay, but with a name that does not identify her [S-222]', async () => {
  const { shop, ann, owner, sale, sales } = await openShopWithCustomer()
  await deleteAccount(shop.shop, ann.id, 'herself')
  const [retained] = await sales()
  expect(retained).toEqual({
    ...sale,
    buyerId: expect.stringMatching(/^gone-\w{15}$/),
    buyerName: deleteAccountTexts.deletedName,
    buyerEmail: '',
    buyerPhotoURL: '',
  })
  const requests = await shop.db
    .selectFrom('requests')
    .select(['orderId', 'saleId'])
    .orderBy('itemId')
    .execute()
  expect(requests).toEqual([
    { orderId: retained!.buyerId, saleId: sale.id },
    { orderId: retained!.buyerId, saleId: null },
  ])
  expect(await shop.db.selectFrom('invoices').select(['number', 'receiptKey']).execute()).toEqual([
    { number: 1, receiptKey: sale.receiptTag },
  ])
  for (const path of [
    '/manage/sales/',
    `/manage/sales/?receipt=${sale.receiptTag}`,
    '/manage/reports/',
    '/manage/reports/sales/',
  ]) {
    expect(await owner.page(path), path).toContain(deleteAccountTexts.deletedName)
  }
  expect(await owner.page(`/manage/reports/sales/?buyer=${retained!.buyerId}`)).toContain(
    'Moon wall',
  )
  expect(await (await owner.get('/manage/sales.csv')).text()).toContain(
    deleteAccountTexts.deletedName,
  )
  const history = await owner.page('/manage/history/')
  expect(history).toContain(`Sold Moon wall to ${deleteAccountTexts.deletedName} for $89.00`)
  expect(history).toContain(`Showed the testimony of ${deleteAccountTexts.deletedName}`)
  expect(history).toContain('The account of a customer was deleted')
  expect(await owner.page('/manage/history/?name=ann')).not.toContain('Sold')
  expect(await owner.page('/manage/history/?name=deleted')).toContain('Sold Moon wall')
})

test('a numbered invoice does not change when its customer deletes her account, until the years of the setting have passed [S-478]', async () => {
  const { shop, ann, owner, sale } = await openShopWithCustomer()
  const printed = async () => {
    const search = new URLSearchParams({ receipt: sale.receiptTag!, paper: 'Invoice' })
    const file = await readPdfFile(shop.shop, new URL(`${ORIGIN}/?${search}`), ORIGIN)
    return (await readPdf(file!.bytes)).pages.join('')
  }
  const before = await printed()
  expect(before).toContain('AnnKnotwell')
  expect(before).toContain('ann@mail.test')
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(await printed()).toBe(before)
  expect(await (await owner.get('/manage/receipts.csv')).text()).toContain('Ann Knotwell')
  expect(await owner.page('/manage/sales/')).not.toContain('Ann Knotwell')

  shop.clock.now = Date.UTC(2036, 11, 31, 12)
  await removeExpiredBuyers(shop.db, shop.shop)
  expect(await printed()).toContain('AnnKnotwell')
  shop.clock.now = Date.UTC(2037, 0, 1, 12)
  await removeExpiredBuyers(shop.db, shop.shop)
  expect(await printed()).not.toContain('Ann')
  expect(await printed()).not.toContain('mail.test')
})

test('invoices of customers with an account keep their names for ever, and those of deleted accounts lose them at once if the setting is 0 [S-478]', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const names = async () =>
    (await shop.db.selectFrom('invoices').select('buyerName').execute()).map((row) => row.buyerName)
  await saveSettings(shop.db, { invoiceYears: '0' }, 1)
  await removeExpiredBuyers(shop.db, shop.shop)
  expect(await names()).toEqual(['Ann Knotwell'])
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(await names()).toEqual([''])
})

test('when a customer deletes her account, the owner gets an email only if the customer had an open order [S-223]', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  await mia.act('/messages', { intent: 'send', message: 'Only a question', messageId: '' })
  for (const { id } of [ann, mia]) await deleteAccount(shop.shop, id, 'herself')
  const emails = await shop.db.selectFrom('outbox').selectAll().where('kind', '=', 'left').execute()
  expect(emails).toMatchObject([
    {
      toAddress: 'owner@shop.test',
      replyTo: 'ann@mail.test',
      subject: 'Ann Knotwell deleted their account with an open order',
    },
  ])
  expect(emails[0]!.text).toMatch(
    /No longer requested:\n- Sun wall, \$12\.00\n\nAlready sold[^\n]*:\n- Moon wall, \$89\.00\n/,
  )
})

test('the email about the open order of a deleted account contains accepted prices, sale prices and payments [S-223]', async () => {
  const { services, db, ann, act, accepted, pay, ownerAct } = await openShopWithPayments()
  const first = await accepted()
  const second = await accepted({
    itemId: [''],
    include: [],
    name: ['Key ring'],
    price: ['9'],
    quantity: ['3'],
  })
  for (const id of [first, second]) await pay('pay-deposit', id)
  await ownerAct('cancel', second)
  await act({ intent: 'complete', itemId: `offer-${first}-2`, price: '10', otherPrice: 'on' })
  expect(await ann.page('/account/')).toContain(deletionSummaryTexts.agreement('your'))
  await deleteAccount(services, ann.id, 'herself')
  const { text } = await db
    .selectFrom('outbox')
    .select('text')
    .where('kind', '=', 'left')
    .executeTakeFirstOrThrow()
  expect(text).toMatch(
    /- Moon wall, \$80\.00\n- Sun wall, \$12\.00\n[^]*- Engraved tag × 2, \$10\.00\n/,
  )
  expect(text).toContain(
    `- ${paymentReference(first)}: $96.00. Deposit paid on March 04, 2026, PayPal: $29.10.\n`,
  )
  expect(text).toContain(
    `- ${paymentReference(second)}, canceled: $33.00. Deposit paid on March 04, 2026, PayPal: $9.90.\n`,
  )
})

test('unsettled pieces or payments of an offer count as an open order, also after the owner closed the order [S-223]', async () => {
  const { services, db, ann, act, accepted, pay } = await openShopWithPayments()
  const hasWarning = async () =>
    (await ann.page('/account/')).includes(deletionSummaryTexts.agreement('your'))
  const id = await accepted({
    itemId: ['moon'],
    include: ['moon'],
    name: ['Moon wall'],
    price: ['80'],
    quantity: ['1'],
  })
  await pay('pay-deposit', id)
  await act({ intent: 'close', confirm: 'Yes' })
  const warnings = [await hasWarning()]
  await act({ intent: 'reopen' })
  await act({ intent: 'complete', itemId: 'moon', price: '80' })
  await act({ intent: 'close', confirm: 'Yes' })
  warnings.push(await hasWarning())
  await pay('pay-balance', id)
  warnings.push(await hasWarning())
  await pay('undo-balance', id)
  expect(warnings).toEqual([true, true, false])
  await deleteAccount(services, ann.id, 'herself')
  const emails = await db.selectFrom('outbox').select('text').where('kind', '=', 'left').execute()
  expect(emails).toEqual([
    {
      text: expect.stringContaining(
        `- ${paymentReference(id)}: $86.00. Deposit paid on March 04, 2026`,
      ),
    },
  ])
})

test('an account deletion keeps the data of other customers, even a photo file that two accounts share [S-222]', async () => {
  const { shop, ann, owner } = await openShopWithCustomer()
  const mia = await shop.customer('mia@mail.test')
  await mia.act('/order-request', { itemId: 'moon', message: 'For me, too' })
  await mia.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await shop.db
    .updateTable('user')
    .set({ image: '/pictures/people/AnnsPhotoAnnsPhotoAnns.jpg' })
    .where('id', '=', mia.id)
    .execute()
  await shop.outbox.post(
    shop.db,
    { id: 'to-mia', kind: 'unread', to: 'mia@mail.test', subject: 'News', text: 'Hello Mia' },
    1,
  )
  const hers = async () => (await findTraces(shop, mia.id, 'mia@mail.test')).length
  const before = await hers()
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(await hers()).toBe(before)
  expect((await mia.get('/pictures/people/AnnsPhotoAnnsPhotoAnns.jpg')).status).toBe(200)
  expect(await mia.page('/?messages')).toContain('For me, too')
  expect((await owner.get(`/manage/messages/${mia.id}`)).status).toBe(200)
})

test('after a failed deletion of an account, nothing has changed, and the customer can try again [LOGIN-54]', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const before = await listAllRows(shop.db)
  const post = shop.shop.outbox.post
  shop.shop.outbox.post = () => Promise.reject(new Error('the disk is full'))
  expect(await ann.act('/account/delete', { password })).toEqual({
    status: 500,
    text: expect.stringContaining('An Error Occured while deleting the User'),
  })
  expect(await listAllRows(shop.db)).toEqual(before)
  expect(await storedPaths(shop)).not.toEqual([])
  expect((await ann.get('/?messages')).status).toBe(200)
  shop.shop.outbox.post = post
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({ ok: true })
  expect(await deleteAccount(shop.shop, ann.id, 'herself')).toEqual({
    ok: false,
    refusal: 'not-found',
  })
})

test('deleting an account immediately ends all its sessions in all browsers [LOGIN-24]', async () => {
  const { shop, ann } = await openShopWithCustomer()
  const [ended, notified]: string[][] = [[], []]
  shop.live.onSessionEnd((id) => ended!.push(id))
  shop.shop.authWebhook.accountGone = async (id) => void notified!.push(id)
  const phone = shop.visitor()
  await phone.post('/login/', { intent: 'login', email: 'ann@mail.test', password })
  const sessions = await shop.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', ann.id)
    .execute()
  shop.changedTopics.length = 0
  await deleteAccount(shop.shop, ann.id, 'herself')
  expect(sessions).toHaveLength(2)
  expect(notified).toEqual([ann.id])
  expect(ended!.sort()).toEqual(sessions.map(({ id }) => id).sort())
  expect(shop.changedTopics).toEqual(
    expect.arrayContaining([
      'testimonials',
      'sales',
      'orders',
      `order:${ann.id}`,
      `user:${ann.id}`,
    ]),
  )
  for (const tab of [ann, phone]) {
    expect(hrefOf(pageOf(await tab.page('/about/')), 'Login | Register')).toBe('/login/')
    await tab.act('/messages', { intent: 'send', message: 'Still here?', messageId: '' })
    await tab.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  }
  expect(await shop.db.selectFrom('orders').selectAll().execute()).toEqual([])
})

test('two concurrent account deletions leave no data of the customer, even if she sends a message at the same time [LOGIN-24]', async () => {
  const { shop, ann, act, sales } = await openShopWithCustomer()
  await saveSettings(shop.db, { invoiceYears: '0' }, 1)
  const [one, other] = await Promise.all([
    deleteAccount(shop.shop, ann.id, 'herself'),
    deleteAccount(shop.shop, ann.id, 'herself'),
    ann.act('/messages', { intent: 'send', message: WORDS, messageId: '' }),
    ann.act('/order-request', { itemId: 'moon', message: WORDS }),
    ann.post('/favourite', { itemId: 'sun', wanted: 'yes' }),
    act({ intent: 'complete', itemId: 'sun', price: '' }),
    act({ intent: 'send', message: 'Ann?' }),
  ])
  expect([one.ok, other.ok].sort()).toEqual([false, true])
  expect(await findTraces(shop, ann.id, 'ann@mail.test', 'Knotwell', WORDS)).toEqual([])
  for (const sale of await sales()) expect(sale.buyerName).toBe(deleteAccountTexts.deletedName)
})

test('a customer who deletes her account is logged out everywhere and sees a message on the home page [LOGIN-24, LOGIN-38]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const tab = sameBrowser(shop, ann)
  const answer = await ann.post('/account/delete', { password, back: '/account/' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/')
  expect(ann.cookies.has('shop.session_token')).toBe(false)
  const home = await ann.page('/')
  expect(home).toContain(deleteAccountTexts.deleted)
  expect(hrefOf(pageOf(home), 'Login | Register')).toBe('/login/')
  expect(await hasUser(shop, ann.id)).toBe(false)
  for (const path of ['/account/', '/account.data']) {
    expect((await tab.get(path)).status, path).not.toBe(200)
  }
  const again = await tab.post('/account/delete', { password, back: '/account/' })
  expect(again.status).toBe(302)
  expect(again.headers.get('location')).toBe('/login')
  const annAgain = await shop.customer()
  expect(annAgain.id).not.toBe(ann.id)
  expect(await annAgain.page('/account/')).toContain('is empty and is deleted immediately')
})

const wrongForms: Record<string, string>[] = [
  {},
  { password: '' },
  { password: 'wrong' },
  { password: `${password} ` },
  { confirm: 'Yes' },
]
test.each(wrongForms)(
  'the form to delete an account deletes nothing if its fields are %j [LOGIN-24, LOGIN-55, S-015]',
  async (form) => {
    const { shop, ann } = await openShopWithAnn()
    const before = await listAllRows(shop.db)
    expect(await ann.act('/account/delete', form)).toEqual({
      status: 403,
      text: expect.stringContaining('Invalid Credentials'),
    })
    expect(await listAllRows(shop.db)).toEqual(before)
  },
)

test('the button to delete an account has the style for destructive actions, and says "Delete my account" if the account has no password [OWN-30, TOAST-06]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const buttons = async () => {
    const page = pageOf(await ann.page('/account/'))
    return within(page.getByText('Delete your account for good?').closest('dialog')!)
      .getAllByRole('button', { hidden: true })
      .map(({ className, textContent }) => [className, textContent])
  }
  expect(await buttons()).toEqual([
    ['button quiet', 'Cancel'],
    ['button destructive', 'Submit'],
  ])
  await shop.db
    .updateTable('account')
    .set({ password: null })
    .where('userId', '=', ann.id)
    .execute()
  expect((await buttons())[1]).toEqual(['button destructive', deleteAccountTexts.deleteAccount])
})

test('deleting an account with an address that was never confirmed deletes no email to this address, and no email that quotes a longer address [S-222]', async () => {
  const shop = await openTestShop()
  const email = { subject: '', createdAt: 1, attempts: 0, nextAttemptAt: 1 }
  await insert(
    shop.db,
    'outbox',
    { ...email, id: 'to-owner', kind: 'contact', toAddress: 'o@mail.test', text: '' },
    {
      ...email,
      id: 'longer',
      kind: 'notice',
      toAddress: 'leo@mail.test',
      text: 'The password of leo@mail.test has changed.',
    },
    {
      ...email,
      id: 'quoting',
      kind: 'unread',
      toAddress: 'owner@mail.test',
      text: 'o@mail.test has written.',
    },
  )
  const ids = async () =>
    (
      await shop.db
        .selectFrom('outbox')
        .select('id')
        .where('createdAt', '=', 1)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)
  const stranger = await shop.customer('o@mail.test')
  await shop.db
    .updateTable('user')
    .set({ emailVerified: false })
    .where('id', '=', stranger.id)
    .execute()
  expect((await stranger.post('/account/delete', { password })).status).toBe(303)
  expect(await ids()).toEqual(['longer', 'quoting', 'to-owner'])
  const confirmed = await shop.customer('o@mail.test')
  await shop.db
    .updateTable('user')
    .set({ emailVerified: true })
    .where('id', '=', confirmed.id)
    .execute()
  expect((await confirmed.post('/account/delete', { password })).status).toBe(303)
  expect(await ids()).toEqual(['longer'])
})

test('the owner cannot delete her own account, and the account page says so [ROLES-16]', async () => {
  const { owner } = await openShopWithOwner()
  const page = await owner.page('/account/')
  expect(page).toContain(deleteAccountTexts.owner)
  expect(page).not.toContain('Delete my account')
  const refused = await owner.act('/account/delete', { password })
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('cannot be deleted') })
  expect((await owner.get('/manage/')).status).toBe(200)
})

test('the account page says what a deletion removes and what the shop keeps [S-222, S-478]', async () => {
  const { ann } = await openShopWithCustomer()
  const page = await ann.page('/account/')
  expect(page).toContain(
    'Deleted immediately: the account with 2 favorites, 4 messages with 2 pictures, 1 testimony and 1 unused credit.',
  )
  expect(page).toContain('Open requests are withdrawn: Sun wall.')
  expect(page).toContain(
    'The shop keeps the record of 1 purchase, with the amount paid and without your name, address and photo.',
  )
  expect(page).toContain(
    '1 numbered invoice keeps your name, address and email for 10 years after the year of the invoice.',
  )
})
