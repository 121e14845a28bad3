import { expect, test } from 'vitest'
import { saveSettingGroup } from '#settings/settings.server.ts'
import { addCategory, addItem, addImage } from '#test/fixtures/catalog.ts'
import { formOf, optionsOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { photo, storedPaths } from '#test/fixtures/images.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { homePageTexts } from './home-declarations.server.ts'
import { homeErrorTexts, ringTexts } from './owner-texts.ts'
import { listShowcase } from './showcase.server.ts'

const path = '/manage/home/'
const { isPromoShown: _, ...texts } = homePageTexts.defaults
const sent = { intent: 'save', ...texts, homeWords: texts.homeWords.join('\r\n') }
const groupOf = (html: string, name: string) => within(pageOf(html).getByRole('group', { name }))

async function open() {
  const shop = await openTestShop()
  return { ...shop, owner: await shop.owner(), home: () => shop.visitor().page('/') }
}

test('visitors see the texts of the home page that the owner has changed [OWN-09]', async () => {
  const { owner, home, changedTopics } = await open()
  await home()
  const changed = {
    ...sent,
    homeHeadline: ' Tied in Ghent ',
    homeWords: texts.homeWords.map((_, index) => `word ${index}`).join('\n'),
    homeLead: 'Hello',
    homeTitle2: 'A title',
    homeText2: 'A text',
    homeLink2: 'A link',
    homeTo2: 'https://elsewhere.test/knots',
    promoText: 'Ten percent off',
    promoTo: '/gallery/bags',
    isPromoShown: 'yes',
  }
  expect((await owner.act(path, changed)).status).toBe(200)
  const html = await home()
  expect(wordsOf(html)).toMatch(
    /Tied in Ghent word 0 .*Hello .*Ten percent off .*Every knot by hand .*A title A text A link/,
  )
  const hrefOf = (name: string) => pageOf(html).getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('A link')).toBe('https://elsewhere.test/knots')
  expect(hrefOf('Ten percent off')).toBe('/gallery/bags')
  expect(changedTopics).toContain('settings')
  const headline = pageOf(await owner.page(path)).getByLabelText('Beginning of the headline')
  expect(headline.getAttribute('value')).toBe('Tied in Ghent')
})

test('the headline can have only one changing word, and HTML in this word is shown as text [OWN-12]', async () => {
  const { owner, home } = await open()
  expect((await owner.act(path, { ...sent, homeWords: '<b>bold</b>' })).status).toBe(200)
  const headline = pageOf(await home()).getByRole('heading', { level: 1 })
  expect(headline.textContent).toBe(`${texts.homeHeadline} <b>bold</b>`)
})

test('the form for the home page shows an error beside a field with invalid words or an unsafe link [OWN-12, OWN-13, OWN-15]', async () => {
  const { owner, db } = await open()
  for (const [typed, error] of [
    [[...texts.homeWords, 'one more'], homeErrorTexts.wordCount(16, 17)],
    [[], homeErrorTexts.wordCount(16, 0)],
    [['x'.repeat(17), ...texts.homeWords.slice(1)], homeErrorTexts.longWord('x'.repeat(17), 16)],
  ] as const) {
    const refused = await owner.post(path, {
      ...sent,
      homeWords: typed.join('\n'),
      homeHeadline: '',
      homeLead: 'Typed before',
    })
    expect(refused.status).toBe(422)
    const group = groupOf(await refused.text(), 'Headline')
    const described = (description: string) => group.getByRole('textbox', { description })
    expect(described(error).getAttribute('name')).toBe('homeWords')
    expect(described('Please fill in this field').getAttribute('name')).toBe('homeHeadline')
    expect(group.getByLabelText('Text below the button').textContent).toBe('Typed before')
  }
  for (const link of [
    'javascript:alert(1)',
    'http://plain.test',
    'data:text/html,x',
    '//other.test',
    '/\\other.test',
    'https://a:b@c.test',
    'mailto:a@b.test',
    'ftp://c.test',
    'gallery',
  ]) {
    const refused = await owner.post(path, { ...sent, promoTo: link, homeTo1: link, homeTo2: link })
    expect(refused.status).toBe(422)
    const inputs = pageOf(await refused.text()).getAllByRole('textbox', {
      name: /leads to/,
      description: /^Please enter a page/,
    })
    expect(inputs.map((input) => input.getAttribute('name'))).toEqual([
      'homeTo1',
      'homeTo2',
      'promoTo',
    ])
  }
  expect(await db.selectFrom('settings').select('key').execute()).toEqual([])
})

test('the owner sees a warning when the banner on Home promises a discount but no piece has a discount [OWN-05]', async () => {
  const { owner, db, now } = await open()
  const warns = async () => (await owner.page(path)).includes('No piece has a discount now')
  expect(await warns()).toBe(false)
  await saveSettingGroup(db, { isPromoShown: true }, now())
  expect(await warns()).toBe(true)
  await addCategory(db, 'bags')
  await addItem(db, 'tote', 'bags', { discountType: 'percent', discountValue: 5000 })
  expect(await warns()).toBe(false)
})

test('the preview of the home page shows the unsaved texts or their errors, and saves nothing [OWN-16]', async () => {
  const { owner, home, db } = await open()
  const preview = await owner.post('/manage/home/preview', {
    ...sent,
    homeLead: 'Not saved yet',
    isPromoShown: 'yes',
  })
  expect(wordsOf(await preview.text())).toMatch(
    /Nothing has been saved.*Not saved yet.*50% off everything/,
  )
  const refused = await owner.post('/manage/home/preview', {
    ...sent,
    homeWords: '',
    promoTo: 'javascript:',
  })
  expect(refused.status).toBe(422)
  expect(wordsOf(await refused.text())).toMatch(/There are none now.*Please enter a page/)
  expect(await home()).not.toContain('Not saved yet')
  expect(await db.selectFrom('settings').select('key').execute()).toEqual([])
})

async function openRing() {
  const opened = await open()
  for (const [position, id] of ['bags', 'walls', 'keys', 'plain'].entries()) {
    await addCategory(opened.db, id, { title: `The ${id}`, position })
    await addItem(opened.db, `${id}-item`, id)
    if (id !== 'plain') {
      await opened.db
        .updateTable('categories')
        .set({ imageId: await addImage(opened.db, id) })
        .where('id', '=', id)
        .execute()
    }
  }
  const ring = async () =>
    (await listShowcase(opened.db)).map(({ categoryId, deg }) => [categoryId, deg])
  const stored = () =>
    opened.db
      .selectFrom('showcase')
      .select(['id', 'title', 'imageId', 'position'])
      .orderBy('position')
      .execute()
  return {
    ...opened,
    ring,
    stored,
    act: (form: Record<string, string> | FormData) => opened.owner.act(path, form),
  }
}

test('when the owner first changes the ring on Home, the shop stores the place, title and category of every circle [OWN-08]', async () => {
  const { ring, stored, act, db, owner } = await openRing()
  expect(await stored()).toEqual([])
  expect((await act({ intent: 'move', id: 'showcase-keys', by: 'up' })).status).toBe(200)
  expect(await ring()).toEqual([
    ['bags', 0],
    ['keys', 120],
    ['walls', 240],
  ])
  await act(formOf({ intent: 'order', order: ['showcase-walls', 'gone', 'showcase-walls'] }))
  expect((await ring()).map(([id]) => id)).toEqual(['walls', 'bags', 'keys'])
  await act({ intent: 'save-circle', id: 'showcase-bags', title: ' For market day ' })
  expect((await stored()).map(({ title }) => title)).toEqual(['', 'For market day', ''])
  await act({ intent: 'add-circle', categoryId: 'plain' })
  expect(await ring()).toEqual([
    ['walls', 0],
    ['bags', 90],
    ['keys', 180],
    ['plain', 270],
  ])
  await act({ intent: 'remove-circle', id: 'showcase-walls', confirm: 'Yes' })
  expect(await ring()).toEqual([
    ['bags', 0],
    ['keys', 120],
    ['plain', 240],
  ])
  expect(optionsOf(pageOf(await owner.page(path)), 'Add a category').all).toEqual(['The walls'])
  const events = await db.selectFrom('audit').select(['act', 'name']).orderBy('seq').execute()
  expect(events.map(({ act, name }) => `${act} ${name}`.trim())).toEqual([
    'order-circles',
    'order-circles',
    'change-circle The bags',
    'add-circle The plain',
    'remove-circle The walls',
  ])
})

test('visitors see the title and the picture that the owner has given to a circle [OWN-08, DATA-104]', async () => {
  const { act, home, db, changedTopics } = await openRing()
  const circle = async () => {
    const ring = within(pageOf(await home()).getByRole('region', { name: 'Categories' }))
    return {
      picture: within(ring.getByRole('link', { name: 'The bags' })).getByAltText(''),
      caption: ring.getByText('The bags').parentElement!.textContent,
    }
  }
  const before = await circle()
  expect(before.picture.getAttribute('src')).toContain('items/bags')
  expect(before.caption).not.toContain('For market day')
  changedTopics.length = 0
  const title = 'For market day'
  await act(formOf({ intent: 'save-circle', id: 'showcase-bags', title, file: photo() }))
  expect(changedTopics).toContain('catalog')
  const { path: file } = await db
    .selectFrom('showcase')
    .innerJoin('images', 'images.id', 'showcase.imageId')
    .select('images.path')
    .executeTakeFirstOrThrow()
  const after = await circle()
  expect(after.picture.getAttribute('src')).toContain(file.replace(/\.\w+$/, ''))
  expect(after.caption).toContain('For market day')
})

test('a circle without a picture shows the first character of its category, even if this character is a flag [OWN-08]', async () => {
  const { act, db, home } = await openRing()
  await db.updateTable('categories').set({ title: '🇵🇹 Plants' }).where('id', '=', 'plain').execute()
  await act({ intent: 'add-circle', categoryId: 'plain' })
  const circle = pageOf(await home()).getByRole('link', { name: '🇵🇹 Plants' })
  expect(circle.textContent).toBe('🇵🇹')
})

test('reordering the categories also reorders their circles on Home, until the owner has moved a circle herself [S-020, OWN-08]', async () => {
  const { ring, act, owner } = await openRing()
  await act({ intent: 'save-circle', id: 'showcase-bags', title: 'x' })
  await owner.act('/manage/category/', { intent: 'move', id: 'walls', by: 'up' })
  expect((await ring()).map(([id]) => id)).toEqual(['walls', 'bags', 'keys'])
  await act({ intent: 'move', id: 'showcase-keys', by: 'up' })
  await owner.act('/manage/category/', { intent: 'move', id: 'walls', by: 'down' })
  expect((await ring()).map(([id]) => id)).toEqual(['walls', 'keys', 'bags'])
})

test('the round picture of a category without items is hidden on Home, but stays stored when the owner changes other pictures [OWN-08]', async () => {
  const { ring, act, stored, owner, db } = await openRing()
  await act({ intent: 'save-circle', id: 'showcase-walls', title: 'Mine' })
  await db.deleteFrom('items').where('id', '=', 'walls-item').execute()
  expect(await ring()).toEqual([
    ['bags', 0],
    ['keys', 180],
  ])
  expect(await owner.page(path)).toContain(ringTexts.unseen)
  await act({ intent: 'save-circle', id: 'showcase-bags', title: 'x' })
  expect((await stored()).map(({ title }) => title)).toEqual(['x', 'Mine', ''])
})

test('the form for the ring of circles refuses an unknown circle, a duplicate category, a long title and an empty ring [OWN-08]', async () => {
  const { act, db, stored, owner, ring } = await openRing()
  const findRemoval = async () =>
    pageOf(await owner.page(path)).queryByRole('button', { name: 'Take The keys out of the ring' })
  expect(await findRemoval()).not.toBeNull()
  expect((await act({ intent: 'save-circle', id: 'gone', title: '' })).status).toBe(404)
  expect((await act({ intent: 'remove-circle', id: 'showcase-bags' })).status).toBe(400)
  expect((await act({ intent: 'add-circle', categoryId: 'bags' })).text).toContain(
    ringTexts.noCategory,
  )
  expect((await act({ intent: 'add-circle', categoryId: 'gone' })).status).toBe(422)
  expect(
    (await act({ intent: 'save-circle', id: 'showcase-bags', title: 'x'.repeat(101) })).text,
  ).toContain(ringTexts.tooLong(100))
  expect(await stored()).toEqual([])
  for (const id of ['bags', 'walls']) {
    await act({ intent: 'remove-circle', id: `showcase-${id}`, confirm: 'Yes' })
  }
  expect(
    (await act({ intent: 'remove-circle', id: 'showcase-keys', confirm: 'Yes' })).text,
  ).toContain(ringTexts.lastCircle)
  expect(await ring()).toEqual([['keys', 0]])
  expect(await findRemoval()).toBeNull()
  expect(await db.selectFrom('categories').select('id').execute()).toHaveLength(4)
})

test('when the owner replaces the picture of a category’s circle on the home page, the files of the old picture are deleted [OWN-08]', async () => {
  const { act, stored, db, storage } = await openRing()
  const send = () =>
    act(formOf({ intent: 'save-circle', id: 'showcase-bags', title: 'Mine', file: photo() }))
  expect((await send()).status).toBe(200)
  const [first] = await stored()
  expect(first!.title).toBe('Mine')
  const { path: file } = await db
    .selectFrom('images')
    .select('path')
    .where('id', '=', first!.imageId)
    .executeTakeFirstOrThrow()
  expect(await storedPaths({ storage })).toEqual([file])
  expect(
    (
      await act(
        formOf({ intent: 'save-circle', id: 'showcase-bags', title: 'Other', file: textFile() }),
      )
    ).text,
  ).toContain('This is not a picture')
  expect((await stored())[0]).toEqual(first)
  expect(
    (await act(formOf({ intent: 'save-circle', id: 'showcase-bags', title: 'Same picture' })))
      .status,
  ).toBe(200)
  expect((await stored())[0]).toMatchObject({ title: 'Same picture', imageId: first!.imageId })
  await send()
  expect((await stored())[0]!.imageId).not.toBe(first!.imageId)
  expect(
    await db.selectFrom('images').select('id').where('id', '=', first!.imageId).execute(),
  ).toEqual([])
  expect(await storedPaths({ storage })).toHaveLength(1)
})

const textFile = () => new File(['no picture'], 'a.txt', { type: 'text/plain' })
