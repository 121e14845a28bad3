import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CLARA, type Login, OWNER, shopAndBrowser } from '#test/fixtures/browser.ts'
import { using } from '#test/fixtures/processes.ts'
import { hold, openSender, soon } from '#test/pages/shop.ts'
import { openTicket } from '#test/pages/testimonials.ts'

const here = shopAndBrowser({ demo: true })

const idIn = (query: string) =>
  using(here.shop.database, (db) => (db.prepare(query).get() as { id: string }).id)
const idOfClara = () => idIn(`select id from user where email = '${CLARA.email}'`)
const isThere = async (locator: Locator) => (await locator.count()) > 0
const discount = (item: string, value: string) => ({
  intent: 'items-apply',
  item,
  type: 'percent',
  value,
  confirm: 'Yes',
})

type Change = {
  page: string
  id: string
  as?: Login
  path: string | (() => string)
  /** the user who makes the change on another device; by default the owner */
  by?: Login
  form: () => [path: string, fields: Record<string, string>]
  isSeen: (page: Page) => Promise<boolean>
}
const changes: Change[] = [
  {
    page: 'home page shows the new title of a category',
    id: 'DATA-104',
    path: '/',
    form: () => [
      '/manage/category/',
      { intent: 'save', id: 'bags', title: 'Carriers', color: '#b5764f' },
    ],
    isSeen: (page) => isThere(page.getByRole('link', { name: 'Carriers', exact: true })),
  },
  {
    page: 'category page shows the new title of its category',
    id: 'DATA-109',
    path: '/gallery/coasters',
    form: () => [
      '/manage/category/',
      { intent: 'save', id: 'coasters', title: 'Cup Rounds', color: '#b5764f' },
    ],
    isSeen: (page) => isThere(page.getByRole('heading', { level: 1, name: 'Cup Rounds' })),
  },
  {
    page: 'item page shows that a color is no longer available',
    id: 'DATA-107',
    path: '/item/sunflower-coaster',
    form: () => ['/manage/colors/', { intent: 'mark', id: 'mustard', mark: 'isAvailable' }],
    isSeen: (page) => isThere(page.getByText('Mustard: Not available')),
  },
  {
    page: 'gallery shows a new discount of an item',
    id: 'DATA-108',
    path: '/gallery/',
    form: () => ['/manage/discount/', discount('morning-light-plant-hanger', '41')],
    isSeen: (page) =>
      isThere(
        page.locator('article', { hasText: 'Morning Light Plant Hanger' }).getByText('41% OFF'),
      ),
  },
  {
    page: 'category page shows a new discount of an item',
    id: 'DATA-112',
    path: '/gallery/coasters',
    form: () => ['/manage/discount/', discount('sunflower-coaster', '37')],
    isSeen: (page) =>
      isThere(page.locator('article', { hasText: 'Sunflower' }).getByText('37% OFF')),
  },
  {
    page: 'item page shows a new discount of its item',
    id: 'DATA-114',
    path: '/item/market-day-net-bag',
    form: () => ['/manage/discount/', discount('market-day-net-bag', '23')],
    isSeen: (page) => isThere(page.getByText('$29.26')),
  },
  {
    page: 'carousel of testimonials removes a testimony that the owner hides',
    id: 'DATA-110',
    path: '/testimonials/',
    form: () => [
      '/manage/testimonials/',
      {
        intent: 'hide',
        id: idIn(`select id from testimonies where "writerName" = 'Rosa Marchetti'`),
      },
    ],
    isSeen: async (page) =>
      !(await isThere(page.getByRole('heading', { name: 'Rosa Marchetti', includeHidden: true }))),
  },
  {
    page: 'ticket page shows that its testimony was written on another device',
    id: 'DATA-111',
    path: () => `/writetestimonials/${openTicket(here.shop).id}/`,
    form() {
      const { id, writerEmail } = openTicket(here.shop)
      return [
        `/writetestimonials/${id}`,
        { intent: 'write', email: writerEmail, testimony: 'It hangs in our kitchen.' },
      ]
    },
    isSeen: async (page) => !(await isThere(page.getByLabel('Email'))),
  },
  {
    page: 'list of conversations shows a new message',
    id: 'DATA-102',
    as: OWNER,
    path: '/manage/messages/',
    by: CLARA,
    form: () => ['/messages/', { intent: 'send', message: 'Is the blue cord back?' }],
    isSeen: (page) => isThere(page.getByText('Is the blue cord back?')),
  },
  {
    page: 'conversation shows a reply of the owner',
    id: 'DATA-103',
    as: CLARA,
    path: '/?messages=',
    form: () => [
      `/manage/messages/${idOfClara()}`,
      { intent: 'send', message: 'It came this morning.' },
    ],
    isSeen: (page) => isThere(page.getByText('It came this morning.')),
  },
  {
    page: 'heart shows that the customer marked the item as a favorite on another device',
    id: 'DATA-115',
    as: CLARA,
    path: '/item/porch-key-chain',
    by: CLARA,
    form: () => ['/favourite', { itemId: 'porch-key-chain', wanted: 'yes' }],
    isSeen: async (page) =>
      (await page
        .getByRole('button', { name: 'Favorite: Porch Key Chain' })
        .first()
        .getAttribute('aria-pressed')) === 'true',
  },
  {
    page: 'Sales screen shows a sale that was completed on another device',
    id: 'DATA-116',
    as: OWNER,
    path: '/manage/sales/',
    form: () => [
      `/manage/messages/${idOfClara()}/`,
      { intent: 'complete', itemId: 'three-diamonds-wall-hanging', price: '81.23' },
    ],
    isSeen: (page) =>
      isThere(page.getByRole('link', { name: /Clara/ }).getByText('$81.23').first()),
  },
  {
    page: 'message panel shows that its order was closed',
    id: 'MSG-12',
    as: CLARA,
    path: '/?messages=',
    form: () => [`/manage/messages/${idOfClara()}`, { intent: 'close', confirm: 'Yes' }],
    isSeen: (page) => isThere(page.getByText('Your last order is closed.')),
  },
]

async function expectLive({ as, path, by = OWNER, form, isSeen }: Change) {
  const page = await here.open(typeof path === 'string' ? path : path(), { as })
  expect(await isSeen(page)).toBe(false)
  const send = await openSender(here, by)
  expect((await send(...form())).status()).toBeLessThan(400)
  await soon(() => isSeen(page)).toBe(true)
}

/** No other test proves these rows. */
const coreIds = ['DATA-102', 'DATA-103', 'DATA-110', 'DATA-111', 'DATA-115']
const isCore = ({ id }: Change) => coreIds.includes(id)
const title = 'without a reload, the open $page [$id]'
test.each(changes.filter(isCore))(title, { tags: ['core'] }, expectLive)
test.each(changes.filter((change) => !isCore(change)))(title, expectLive)

test('a message that arrives while the shop refuses a form is shown after the refusal [DATA-103]', async () => {
  const send = await openSender(here, CLARA)
  const changed = Promise.withResolvers<void>()
  const before = async (opened: Page) => {
    opened.on('websocket', (socket) =>
      socket.on(
        'framereceived',
        ({ payload }) => payload.toString().includes('order:') && changed.resolve(),
      ),
    )
  }
  const page = await here.open('/account/?messages=', { as: CLARA, before })
  const answer = await hold(page, '**/account/password.data*', 'POST')
  await page.getByRole('button', { name: 'Change Password' }).click()
  const prompt = page.getByRole('dialog', { name: 'Change Password' })
  await prompt.getByLabel('Current Password').fill('not-her-password')
  await prompt.getByLabel('New Password').fill('an-even-better-one')
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await send('/messages/', { intent: 'send', message: 'Sent from my phone.' })
  await changed.promise
  answer()
  await prompt.getByText('Invalid Credentials').waitFor()
  await soon(() => isThere(page.getByText('Sent from my phone.'))).toBe(true)
})
