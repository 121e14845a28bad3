import { expect, test } from 'vitest'
import { deleteAccount } from '#account/delete-account/delete-account.server.ts'
import { offerRefusals } from '#offers/texts.ts'
import { offerTotal } from '#offers/offer.ts'
import { blankLine, typedTotal } from '#offers/offer-values.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { completeSale, cancelSale } from '#orders/orders.server.ts'
import { ensureTicket, writeTestimony } from '#testimonials/testimonies.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { ask, move, openGuestAndAccount } from '#test/fixtures/accounts.ts'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { descriptionOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import { type OfferForm, openShopWithOffers } from '#test/fixtures/offers.ts'
import { creditTransitions, parseCreditCode } from './credit.ts'
import { changeCredit } from './credits.server.ts'
import { creditFormTexts } from './owner-texts.ts'

const creditError = (html: string) => descriptionOf(pageOf(html), creditFormTexts.code)

/** Opens a shop in which Ann has bought the sun wall and has a testimony ticket for its receipt. */
async function openShopWithTicket() {
  const withOffers = await openShopWithOffers()
  const { services, ann, db } = withOffers
  await completeSale(services, ann.id, { itemId: 'sun', price: '' })
  const { receiptTag } = await db.selectFrom('sales').select('receiptTag').executeTakeFirstOrThrow()
  const makeTicket = async (receipt = receiptTag!) => {
    const ticket = await inTransaction(db, (tx) => ensureTicket(tx, receipt, services.now()))
    if (!ticket.ok) throw new Error('no ticket')
    return ticket.id
  }
  const write = (id: string) =>
    writeTestimony(services, id, { email: 'ann@mail.test', testimony: 'So soft' })
  const credits = () => db.selectFrom('credits').selectAll().execute()
  return {
    ...withOffers,
    receiptTag: receiptTag!,
    makeTicket,
    write,
    credits,
    ticketId: await makeTicket(),
  }
}

/** Opens a shop in which Ann has a credit, because she has written a testimony. */
async function openShopWithCredit() {
  const withTicket = await openShopWithTicket()
  await withTicket.write(withTicket.ticketId)
  const { code } = (await withTicket.credits())[0]!
  const isUsed = async () => (await withTicket.credits())[0]?.usedAt !== null
  const refusalOf = async (form: OfferForm) => {
    const answer = await withTicket.post(form)
    return { status: answer.status, html: await answer.text() }
  }
  return { ...withTicket, code, isUsed, refusalOf }
}

test('a testimony earns one credit, which the thank-you page and the account page show before and after its use; the account page says “Mention the code” only until the credit is used [AGREE-63, AGREE-127]', async () => {
  const { ann, write, ticketId, receiptTag, credits, acts, db, services } =
    await openShopWithTicket()
  expect(await ann.page('/account/orders/')).not.toContain('Your credit')
  expect(await Promise.all([write(ticketId), write(ticketId)])).toEqual(
    expect.arrayContaining(['written', 'refused']),
  )

  const [credit, ...others] = await credits()
  expect(others).toEqual([])
  expect(credit).toMatchObject({
    userId: ann.id,
    receiptTag,
    cents: 500,
    usedAt: null,
    code: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
  })
  expect(await acts()).toContain('earn-credit')
  const creditText = `Code ${credit!.code} Amount $5.00 State`
  const pages = async () => [
    wordsOf(await ann.page(`/writetestimonials/${ticketId}`)),
    wordsOf(await ann.page('/account/orders/')),
  ]
  for (const page of await pages()) expect(page).toContain(`${creditText} Not used yet`)
  expect((await pages())[0]).toContain('you qualify for $5 OFF!')
  expect((await pages())[1]).toContain('Mention the code')

  const use = { code: credit!.code, offerId: 'o', userId: ann.id, subject: ann.id, name: 'Ann' }
  await inTransaction(db, (tx) => changeCredit(tx, 'use', use, services.now()))
  for (const page of await pages()) expect(page).toContain(`${creditText} Used`)
  expect((await pages())[0]).not.toMatch(/you qualify|\$5 off/)
  expect((await pages())[1]).not.toContain('Mention the code')
})

test('a buyer without an account earns no credit for her testimony [AGREE-63]', async () => {
  const { db, write, ticketId, credits, visitor } = await openShopWithTicket()
  await db.updateTable('testimonies').set({ writerId: 'gone-account' }).execute()
  expect(await write(ticketId)).toBe('written')
  expect(await credits()).toEqual([])
  expect(await visitor().page(`/writetestimonials/${ticketId}`)).toMatch(
    /you qualify for \$5 OFF!(?![\s\S]*Not used yet)/,
  )
})

test('a second testimony for a receipt earns no second credit, even after the first testimony was deleted [AGREE-63]', async () => {
  const { db, code, credits, makeTicket, write, send, customerAct, isUsed } =
    await openShopWithCredit()
  await db.deleteFrom('testimonies').execute()
  expect(await write(await makeTicket())).toBe('written')
  expect(await credits()).toMatchObject([{ code }])
  await customerAct('accept', await send({ creditCode: code }))
  expect(await isUsed()).toBe(true)
})

test('the testimony of a guest earns a credit, and the credit of an undone purchase moves to the next purchase [AGREE-63]', async () => {
  const { owner, guest, db, services } = await openShopWithOffers()
  const buyer = await guest()
  const buy = async () => {
    await buyer.act('/order-request', { itemId: 'moon', message: '' })
    await completeSale(services, buyer.id, { itemId: 'moon', price: '' })
    const sale = await db.selectFrom('sales').select(['id', 'receiptTag']).executeTakeFirstOrThrow()
    await addTestimonyTicket(db, `ticket-${sale.id}`, {
      writerId: buyer.id,
      receiptTag: sale.receiptTag!,
    })
    const testimony = { email: 'ann@mail.test', testimony: 'So soft' }
    expect(await writeTestimony(services, `ticket-${sale.id}`, testimony)).toBe('written')
    return sale
  }
  const credits = () => db.selectFrom('credits').select(['code', 'receiptTag', 'cents']).execute()
  const first = await buy()
  const [credit, ...others] = await credits()
  expect(others).toEqual([])
  expect(credit).toMatchObject({ receiptTag: first.receiptTag, cents: 500 })
  const creditText = `Code ${credit!.code} Amount $5.00 State Not used yet`
  expect(wordsOf(await buyer.page(`/writetestimonials/ticket-${first.id}`))).toContain(creditText)

  const undone = await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: first.id })
  expect(undone.status).toBe(200)
  await owner.act(`/manage/messages/${buyer.id}`, { intent: 'close', confirm: 'Yes' })
  const second = await buy()
  expect(second.receiptTag).not.toBe(first.receiptTag)
  expect(await credits()).toEqual([{ ...credit, receiptTag: second.receiptTag }])
})

test('if a purchase is canceled after it earned a credit, the next purchase earns no second credit [AGREE-63]', async () => {
  const { services, db, ann, receiptTag, credits, makeTicket, write, sales, acts } =
    await openShopWithCredit()
  await issueDocuments(services, { receipt: receiptTag, papers: ['Invoice'] })
  await cancelSale(services, (await sales())[0]!.id)
  for (const [itemId, moved] of [
    ['sun', [true]],
    ['moon', [false, true]],
  ] as const) {
    await completeSale(services, ann.id, { itemId, price: '' })
    const { receiptTag: receipt } = await db
      .selectFrom('orders')
      .select('receiptTag')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    expect(await write(await makeTicket(receipt!))).toBe('written')
    expect((await credits()).map(({ receiptTag: tag }) => tag === receipt).toSorted()).toEqual(
      moved,
    )
    await issueDocuments(services, { receipt: receipt!, papers: ['Invoice'] })
  }
  expect((await acts()).filter((act) => act.endsWith('-credit')).toSorted()).toEqual([
    'earn-credit',
    'earn-credit',
    'move-credit',
  ])
})

test('a credit whose box the owner ticks or whose code she types lowers the total of the form, the offer and the sale price, and a newer offer keeps it [AGREE-64, AGREE-126, AGREE-128]', async () => {
  const { owner, ann, path, code, send, cards, customerAct, lines, act, sales } =
    await openShopWithCredit()
  expect(wordsOf(await owner.page(path))).toContain(`Use the credit of $5.00, code ${code}`)
  await send({ credit: code })
  expect(wordsOf(await owner.page(path))).toContain('Total $92.00')
  await send({ creditCode: ` ${code.toLowerCase().replace('-', ' ')} ` })
  for (const card of await cards()) {
    expect(card.creditCode).toEqual(code)
    expect(card.creditCents).toBe(500)
    expect(offerTotal(card)).toBe(9200)
  }
  for (const page of [
    await ann.page('/?messages='),
    await owner.page(`/manage/messages/${ann.id}`),
  ]) {
    expect(wordsOf(page)).toContain(`Credit ${code} -$5.00 Total $92.00`)
  }

  await customerAct('accept', (await cards()).at(-1)!.id)
  expect((await lines()).map(({ agreedCents }) => agreedCents)).toEqual([7500, null, 1100])
  await act({ intent: 'complete', itemId: 'moon', price: '75' })
  expect((await sales()).map(({ salePriceCents }) => salePriceCents)).toContain(7500)
  expect(wordsOf(await owner.page(path))).not.toContain('Use the credit of')
})

test('the form of a newer offer keeps the credit of the offer that it replaces, even if the customer has an older credit [AGREE-126, AGREE-128]', async () => {
  const { db, owner, path, code, send, credits } = await openShopWithCredit()
  await send({ credit: code })
  const [credit] = await credits()
  await db
    .insertInto('credits')
    .values({ ...credit!, code: '2222-2222', receiptTag: 'older', createdAt: 0 })
    .execute()
  const form = await owner.page(path)
  const nameOfField = (value: string) =>
    pageOf(form).getByDisplayValue<HTMLInputElement>(value).name
  expect(nameOfField('2222-2222')).toBe('credit')
  expect(nameOfField(code)).toBe('creditCode')
  expect(wordsOf(form)).toContain('Total $92.00')
})

test.each([
  { how: 'the owner ticks the credit', credit: 'KNTS-2345', creditCode: '', total: 8700 },
  { how: 'the owner types the code', credit: '', creditCode: ' knts 2345 ', total: 8700 },
  { how: 'no credit is used', credit: '', creditCode: '', total: 9200 },
])(
  'the total below the offer form equals the total of the offer if $how [AGREE-126]',
  ({ credit, creditCode, total }) => {
    const lines = [{ ...blankLine, name: 'Key ring', price: '40', quantity: '2' }]
    const values = { lines, shipping: '12', credit, creditCode }
    expect(typedTotal(values, [{ code: 'KNTS-2345', cents: 500, state: 'open' }])).toBe(total)
  },
)

test('a credit lowers the prices of the pieces at most to zero, and never lowers the shipping [AGREE-64, AGREE-126]', async () => {
  const { code, send, cards, customerAct, lines, isUsed } = await openShopWithCredit()
  const typed = {
    itemId: [''],
    include: [],
    name: ['Key ring'],
    price: ['3'],
    quantity: ['1'],
    color: [''],
    notes: [''],
  }
  await send({ ...typed, price: ['0'], creditCode: code })
  expect(await cards()).toMatchObject([{ creditCode: null, creditCents: 0 }])
  const id = await send({ ...typed, creditCode: code })
  const card = (await cards()).at(-1)!
  expect(card.creditCents).toBe(300)
  expect(offerTotal(card)).toBe(600)
  const values = {
    lines: [{ ...blankLine, name: 'Key ring', price: '3' }],
    shipping: '6',
    credit: '',
    creditCode: code.toLowerCase(),
  }
  expect(typedTotal(values, [{ code, cents: 500, state: 'open' }])).toBe(600)
  await customerAct('accept', id)
  expect((await lines()).at(-1)).toMatchObject({ name: 'Key ring', agreedCents: 0 })
  expect(await isUsed()).toBe(true)
})

test.each([
  {
    what: 'a text that is no code',
    form: { creditCode: 'five dollars' },
    error: creditFormTexts.badCode,
  },
  {
    what: 'a code that does not exist',
    form: { creditCode: '2222-2222' },
    error: creditFormTexts.unknown,
  },
  {
    what: 'a code that does not exist in the box',
    form: { credit: '2222-2222' },
    error: creditFormTexts.unknown,
  },
])('the offer form refuses $what next to the field [AGREE-64]', async ({ form, error }) => {
  const { refusalOf, offers } = await openShopWithCredit()
  const { status, html } = await refusalOf(form)
  expect(status).toBe(422)
  expect(await offers()).toEqual([])
  expect(creditError(html)).toBe(error)
})

test('the offer form shows an error next to the field for two codes, a used code and another customer’s code [AGREE-64]', async () => {
  const { code, send, customer, customerAct, refusalOf, owner, db } = await openShopWithCredit()
  const { html } = await refusalOf({ credit: code, creditCode: '2222-2222' })
  expect(creditError(html)).toBe(creditFormTexts.twoCodes)
  await customerAct('accept', await send({ itemId: ['', ''], include: [], creditCode: code }))
  const used = await refusalOf({ creditCode: code })
  expect(creditError(used.html)).toBe(creditFormTexts.used)

  const bea = await customer('bea@mail.test')
  await bea.act('/messages', { intent: 'send', message: 'Hello' })
  await db.updateTable('credits').set({ usedAt: null, offerId: null }).execute()
  const form = {
    itemId: '',
    name: 'Tag',
    price: '9',
    quantity: '1',
    color: '',
    notes: '',
    validUntil: '2026-03-10',
    creditCode: code,
  }
  const answer = await owner.post(`/manage/offer/${bea.id}`, form)
  expect(answer.status).toBe(422)
  expect(creditError(await answer.text())).toBe(creditFormTexts.unknown)
})

test('the credit of one customer cannot be used in an offer to another customer [AGREE-65]', async () => {
  const { code, credits, db, services } = await openShopWithCredit()
  const use = { code, offerId: 'a', userId: 'bea', subject: 'bea', name: 'Bea' }
  expect(await inTransaction(db, (tx) => changeCredit(tx, 'use', use, services.now()))).toBe(false)
  expect((await credits())[0]).toMatchObject({ usedAt: null, offerId: null })
})

test('two offers that are accepted in two tabs cannot both use the same credit [AGREE-65]', async () => {
  const { ann, code, send, customerAct, state, credits, db, services, acts } =
    await openShopWithCredit()
  const use = (offerId: string) =>
    inTransaction(db, (tx) =>
      changeCredit(
        tx,
        'use',
        { code, offerId, userId: ann.id, subject: ann.id, name: 'Ann' },
        services.now(),
      ),
    )
  for (let round = 0; round < 5; round++) {
    await db.updateTable('credits').set({ usedAt: null, offerId: null }).execute()
    expect((await Promise.all([use('a'), use('b'), use('c')])).filter(Boolean)).toHaveLength(1)
  }
  await db.updateTable('credits').set({ usedAt: null, offerId: null }).execute()
  const id = await send({ creditCode: code })
  await Promise.all([customerAct('accept', id), customerAct('accept', id)])
  expect(await state(id)).toBe('accepted')
  expect((await credits())[0]!.offerId).toEqual(id)
  expect((await acts()).filter((act) => act === 'use-credit')).toHaveLength(6)

  await db.updateTable('credits').set({ usedAt: null, offerId: null }).execute()
  const second = await send({ itemId: ['', ''], include: [], creditCode: code })
  await db.updateTable('credits').set({ usedAt: 1, offerId: 'another' }).execute()
  expect(await customerAct('accept', second)).toMatchObject({
    status: 409,
    text: expect.stringContaining(offerRefusals['no-credit']),
  })
  expect(await state(second)).toBe('sent')
})

test('canceling an agreement makes its credit usable again, and a withdrawn or replaced offer never uses its credit [AGREE-66]', async () => {
  const { code, send, customerAct, ownerAct, isUsed, acts } = await openShopWithCredit()
  await ownerAct('withdraw', await send({ creditCode: code }))
  await send({ creditCode: code })
  const id = await send({ creditCode: code })
  expect(await isUsed()).toBe(false)
  await customerAct('accept', id)
  expect(await isUsed()).toBe(true)
  await ownerAct('cancel', id)
  expect(await isUsed()).toBe(false)
  expect((await acts()).filter((act) => act.endsWith('-credit')).toSorted()).toEqual([
    'earn-credit',
    'release-credit',
    'use-credit',
  ])
  await customerAct('accept', await send({ creditCode: code }))
  expect(await isUsed()).toBe(true)
})

test('the owner cannot cancel an agreement of an earlier order to use its credit again [AGREE-07, AGREE-66]', async () => {
  const { ann, owner, services, code, send, customerAct, ownerAct, isUsed, state, db } =
    await openShopWithCredit()
  const id = await send({ creditCode: code })
  await customerAct('accept', id)
  await completeSale(services, ann.id, { itemId: 'moon', price: '75' })
  await owner.act(`/manage/messages/${ann.id}`, { intent: 'close', confirm: 'Yes' })
  await ann.act('/order-request', {
    itemId: 'moon',
    message: 'One more',
    messageId: 'AnotherMoonWall',
  })
  const sold = db.selectFrom('orderItems').select('itemId').where('isSold', '=', true)
  expect(await sold.execute()).toEqual([{ itemId: 'moon' }])

  expect(await ownerAct('cancel', id)).toMatchObject({
    status: 409,
    text: expect.stringContaining(offerRefusals.sold),
  })
  expect(await state(id)).toBe('accepted')
  expect(await isUsed()).toBe(true)

  const sale = await db
    .selectFrom('sales')
    .select('id')
    .where('itemId', '=', 'moon')
    .executeTakeFirstOrThrow()
  await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: sale.id })
  expect((await ownerAct('cancel', id)).status).toBe(200)
  expect(await state(id)).toBe('canceled')
  expect(await isUsed()).toBe(false)
})

test.each([
  ['usable again if nothing of the agreement was sold', [], false],
  ['used if a piece of the agreement was sold', ['complete-sale'], true],
  [
    'usable again if the only sale of the agreement was undone',
    ['complete-sale', 'undo-sale'],
    false,
  ],
] as const)(
  'deleting a conversation with an accepted offer leaves its credit %s [AGREE-66]',
  async (_, sold, isStillUsed) => {
    const { ann, db, owner, services, code, send, customerAct, isUsed, acts } =
      await openShopWithCredit()
    await customerAct('accept', await send({ creditCode: code }))
    if (sold.length > 0) await completeSale(services, ann.id, { itemId: 'moon', price: '75' })
    if (sold.length > 1) {
      const sale = await db
        .selectFrom('sales')
        .select('id')
        .where('itemId', '=', 'moon')
        .executeTakeFirstOrThrow()
      await owner.act('/manage/sales/', { intent: 'undo-sale', saleId: sale.id })
    }
    expect(
      (await owner.act(`/manage/messages/${ann.id}`, { intent: 'delete', confirm: 'Yes' })).status,
    ).toBe(200)
    expect(await isUsed()).toEqual(isStillUsed)
    expect((await acts()).includes('release-credit')).toBe(!isStillUsed)
  },
)

test('the account page lists an unused credit among the data that the deletion of the account deletes [AGREE-67]', async () => {
  const { ann, services, credits, db } = await openShopWithCredit()
  expect(wordsOf(await ann.page('/account/'))).toContain('1 unused credit')
  expect(await deleteAccount(services, ann.id, 'owner')).toEqual({ ok: true })
  expect(await credits()).toEqual([])
  const rows = await db
    .selectFrom('audit')
    .select(['name', 'subject', 'detail'])
    .where('act', '=', 'earn-credit')
    .execute()
  expect(JSON.stringify(rows)).not.toMatch(/ann@|"ann"/i)
})

test('the credit of a guest moves with her to an account, whose offers can use it [AGREE-67]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await ask(guest, 'star', 'The star, please')
  await addTestimonyTicket(shop.db, 'ticket', { writerId: guest.id, receiptTag: 'TAG00009' })
  expect(
    await writeTestimony(shop.shop, 'ticket', { email: 'ann@mail.test', testimony: 'Soft' }),
  ).toBe('written')
  await move(guest)
  expect(await shop.db.selectFrom('credits').select(['userId', 'cents']).execute()).toEqual([
    { userId: account.id, cents: 500 },
  ])
  expect(wordsOf(await (await shop.owner()).page(`/manage/offer/${account.id}`))).toContain(
    'Use the credit of $5.00',
  )
})

test('each state of a credit can be reached and left by an action', () => {
  const actions = Object.values(creditTransitions)
  expect(new Set(actions.map(({ from }) => from))).toEqual(new Set(actions.map(({ to }) => to)))
})

test('a credit code can be typed with spaces, dashes and lower case, but not with characters that codes never contain', () => {
  for (const typed of ['K7QM-4XPD', 'k7qm4xpd', ' K7QM – 4XPD ']) {
    expect(parseCreditCode(typed)).toBe('K7QM-4XPD')
  }
  for (const typed of ['', 'K7QM-4XP', 'K7QM-4XPDE', 'K7QM-0XPD', 'K7QM-IXPD', "'; drop"]) {
    expect(parseCreditCode(typed)).toBe(null)
  }
})
