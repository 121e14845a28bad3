import { expect, test } from 'vitest'
import {
  answerWith,
  ask,
  move,
  openGuestAndAccount,
  logInToLink,
  seenBy,
} from '#test/fixtures/accounts.ts'
import type { TestShop } from '#test/fixtures/test-shop.ts'
import { mergeErrorTexts } from './texts.ts'

type Who = Awaited<ReturnType<typeof openGuestAndAccount>>['guest']

/** The owner offers "The star" to a guest or customer. Returns the id of the offer. */
async function offerStar(shop: TestShop, who: Who): Promise<string> {
  await ask(who, 'star', 'The star, please')
  const line = {
    itemId: 'star',
    include: 'star',
    name: 'The star',
    price: '30',
    quantity: '1',
    color: '',
    notes: '',
  }
  const owner = await shop.owner()
  expect(
    (await owner.post(`/manage/offer/${who.id}`, { ...line, validUntil: '2026-03-10' })).status,
  ).toBe(302)
  const { id } = await shop.db
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', who.id)
    .executeTakeFirstOrThrow()
  return id
}
const acceptStar = (who: Who, offerId: string) => who.act('/offer', { intent: 'accept', offerId })
async function agreeOnStar(shop: TestShop, who: Who): Promise<string> {
  const id = await offerStar(shop, who)
  expect((await acceptStar(who, id)).status).toBe(200)
  return id
}

test('a guest’s accepted offer and its card move with her to an account [AGREE-14]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  await agreeOnStar(shop, guest)
  await ask(account, 'star', 'I want it, too')

  await move(guest)

  expect(await shop.db.selectFrom('offers').select(['orderId', 'state']).execute()).toEqual([
    { orderId: account.id, state: 'accepted' },
  ])
  expect(
    await shop.db.selectFrom('orderItems').select(['orderId', 'agreedCents']).execute(),
  ).toEqual([{ orderId: account.id, agreedCents: 3000 }])
  expect(await account.page('/?messages=')).toMatch(/Accepted[\s\S]*The star[\s\S]*\$30\.00/)
})

test.each([
  ['an offer of a one-of-a-kind piece', true],
  ['no hold', false],
])(
  'the move of a guest with %s notifies open pages of the catalog: %s [AGREE-25]',
  async (_, hasHold) => {
    const { shop, account, guest } = await openGuestAndAccount()
    await shop.db.updateTable('items').set({ kind: 'unique' }).execute()
    if (hasHold) await offerStar(shop, guest)
    else await ask(guest, 'star', 'The star, please')
    await logInToLink(guest)
    const seen = await seenBy(guest)
    shop.changedTopics.length = 0
    await answerWith(guest, 'Yes', seen)
    expect(shop.changedTopics).toContain(`order:${account.id}`)
    expect(shop.changedTopics.includes('catalog')).toBe(hasHold)
  },
)

test('a guest with an accepted offer cannot move to an account that has accepted an offer of the same piece [AGREE-83]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const [ofGuest] = [await agreeOnStar(shop, guest), await agreeOnStar(shop, account)]
  const refused = await move(guest)
  expect(refused).toMatchObject({
    status: 409,
    text: expect.stringContaining(mergeErrorTexts['agreed-twice']('The star')),
  })
  expect((await shop.db.selectFrom('orderItems').select('orderId').execute()).length).toBe(2)

  const owner = await shop.owner()
  await owner.act(`/manage/offer/${guest.id}`, {
    intent: 'cancel',
    offerId: ofGuest,
    confirm: 'Yes',
  })
  await move(guest)
  const lines = await shop.db.selectFrom('orderItems').select(['orderId', 'agreedCents']).execute()
  expect(lines).toEqual([{ orderId: account.id, agreedCents: 3000 }])
})

test(
  'only one agreement results if an account accepts an offer of a piece while a guest’s offer of the same piece moves to the account [AGREE-83]',
  { tags: ['random'] },
  async () => {
    const { shop, account, guest } = await openGuestAndAccount()
    await agreeOnStar(shop, guest)
    const ofAccount = await offerStar(shop, account)
    await logInToLink(guest)
    const seen = await seenBy(guest)
    const [moved, accepted] = await Promise.all([
      answerWith(guest, 'Yes', seen),
      acceptStar(account, ofAccount),
    ])
    const isMoved = moved.status < 400
    expect(accepted.status).toBe(isMoved ? 409 : 200)
    const agreed = await shop.db
      .selectFrom('offers')
      .select('orderId')
      .where('state', '=', 'accepted')
      .execute()
    expect(agreed.map(({ orderId }) => orderId).toSorted()).toEqual(
      (isMoved ? [account.id] : [account.id, guest.id]).toSorted(),
    )
  },
)
